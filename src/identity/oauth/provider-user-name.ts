import { randomInt } from 'node:crypto';
import { InvalidInput } from '../../errors/errors.ts';
import type { ProviderSettings } from './provider-client.ts';

/** Claims from which a name is made. */
interface NamingClaims {
  readonly username: string | undefined;
  /** In lower case. */
  readonly email: string | undefined;
  /** Display name. */
  readonly name: string | undefined;
}

/** Claims that name a user, unless the settings name another. */
const NAMING_CLAIMS = ['uname', 'preferred_username', 'upn'] as const;
const MAX_LENGTH = 100;

/** Makes user names of at most 100 characters of `A-Z a-z 0-9 -`; throws `invalid_setting`. */
export class ProviderUserNames {
  /** Claims that are read, in this order. */
  readonly claims: readonly string[];
  readonly #rules: ProviderSettings;
  readonly #pattern: RegExp | undefined;

  constructor(rules: ProviderSettings, at: string) {
    this.#rules = rules;
    this.claims = rules.uid_field === null ? NAMING_CLAIMS : [rules.uid_field, ...NAMING_CLAIMS];
    this.#pattern = rules.uid_regex === null ? undefined : patternAtStart(rules.uid_regex, `${at}.uid_regex`);
  }

  /** Returns undefined when no claim contains a usable name. */
  nameOf(claims: NamingClaims): string | undefined {
    if (this.#rules.uid_randomize) return this.random();
    const { username = claims.email, email, name } = claims;
    const candidates = [this.#ofAddress(username, email), name?.replaceAll(' ', '-')];
    for (const candidate of candidates) {
      const cleaned = candidate?.replaceAll(/[^A-Za-z0-9-]/g, '').slice(0, MAX_LENGTH);
      if (cleaned) return cleaned;
    }
    return undefined;
  }

  /** Returns a name of two words, and digits if the settings require them. */
  random(): string {
    const { uid_randomize_digits: digits, uid_randomize_delimiter: delimiter } = this.#rules;
    const number = Array.from({ length: digits }, () => String(randomInt(10))).join('');
    return [pick(QUALITIES), pick(ANIMALS), ...(digits > 0 ? [number] : [])]
      .join(delimiter)
      .replaceAll(/[^A-Za-z0-9-]/g, '');
  }

  /** Makes a name from the parts of the address, if the user name is the address. */
  #ofAddress(username: string | undefined, email: string | undefined): string | undefined {
    if (username === undefined || email === undefined || username.toLowerCase() !== email) return username;
    const match = this.#pattern?.exec(username);
    if (match) {
      const [, ...groups] = match;
      const format = this.#rules.uid_format;
      const made = format === null ? groups.join('') : filled(format, groups);
      if (made !== '') return made.toLowerCase();
    }
    // Only an address in lower case is split, so that names that the public systems assigned to others stay theirs.
    if (username !== email) return username;
    const [local = '', domain = ''] = username.split('@', 2);
    return `${local}-${domain.split('.')[0] ?? ''}`;
  }
}

/** Compiles a pattern that matches at the start, also with Python's groups; throws `invalid_setting`. */
export function patternAtStart(pattern: string, at: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern.replaceAll('(?P<', '(?<')})`);
  } catch (cause) {
    throw new InvalidInput('invalid_setting', `${at}: ${pattern} is not a regular expression.`, { at, cause });
  }
}

/** Replaces `{0}` or `{}` in a format by the groups of a match. */
function filled(format: string, groups: readonly (string | undefined)[]): string {
  let next = 0;
  return format.replaceAll(
    /\{(\d*)\}/g,
    (_place, index: string) => groups[index === '' ? next++ : Number(index)] ?? '',
  );
}

function pick(words: readonly string[]): string {
  return words[randomInt(words.length)] ?? '';
}

const QUALITIES = (
  'able amber ample arctic autumn azure bold brave bright brisk calm clear clever coral cosmic crisp daring deep ' +
  'eager early fair fleet fond frosty gentle glad golden grand green happy hardy hidden honest humble icy jolly ' +
  'keen kind lively lucky lunar merry mild misty noble olive patient plain polar proud quick quiet rapid ready ' +
  'royal rustic sandy scarlet silent silver smart snowy solar steady stout sunny swift tidy upbeat vivid warm wise ' +
  'witty young'
).split(' ');
const ANIMALS = (
  'alpaca badger bat bear beaver bison bobcat camel caribou cat cheetah cobra condor coyote crane cricket crow deer ' +
  'dolphin dove duck eagle egret elk falcon ferret finch fox gecko gibbon goat goose hare hawk heron horse ibex ' +
  'iguana jackal jaguar kestrel kiwi koala lark lemur leopard lion llama lynx magpie marmot marten mole moose mouse ' +
  'newt ocelot orca otter owl panda parrot puffin puma quail rabbit raven robin salmon seal shark sparrow stork ' +
  'swan tapir tiger toucan trout turtle viper vole walrus weasel whale wolf wombat wren yak zebra'
).split(' ');
