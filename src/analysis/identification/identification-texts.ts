import { stringify } from 'yaml';
import { InvalidInput, messageOf, TooLarge } from '../../errors/errors.ts';
import { readPlainYaml } from '../system/plain-yaml.ts';
import type { SystemValues } from '../system/system-values.ts';
import type { Identification } from './identification.ts';
import { LABEL_PATTERNS, type LabelPattern } from './label-kinds.ts';
import { LabelMatcher } from './label-matcher.ts';
import { MAGIC_RULES } from './magic-rules.ts';
import { MIME_KINDS } from './mime-kinds.ts';
import { yaraProblem } from './yara-syntax.ts';

/** Names of the texts by which administrators change how files are identified. */
export const IDENTIFICATION_TEXTS = ['magic', 'mimes', 'patterns', 'yara'] as const;
export type IdentificationTextName = (typeof IDENTIFICATION_TEXTS)[number];

export interface IdentificationTextsDependencies {
  readonly values: SystemValues;
  readonly identification: Pick<Identification, 'problemOfRules'>;
}

const MAX_LENGTH = 1 << 20;
const MAX_PATTERNS = 1000;
const MAX_PATTERN_LENGTH = 1000;
/** A kind of files, or a media type. */
const KIND = /^[a-z]+(?:\/[a-z0-9\-.+]+)+$/;
const DEFAULTS: Readonly<Record<IdentificationTextName, () => string>> = {
  magic: () => MAGIC_RULES,
  mimes: () => stringify(MIME_KINDS),
  patterns: () => stringify(LABEL_PATTERNS),
  yara: () => '',
};

/** Checks and keeps the texts; every process uses a new one within a second. */
export class IdentificationTexts {
  readonly #values: SystemValues;
  readonly #identification: IdentificationTextsDependencies['identification'];

  constructor({ values, identification }: IdentificationTextsDependencies) {
    this.#values = values;
    this.#identification = identification;
  }

  /** @param isDefault the text that the program brings along; false: the one in force */
  async get(name: IdentificationTextName, isDefault: boolean): Promise<string> {
    const text = isDefault ? undefined : await this.#values.get(`identify_${name}`);
    return typeof text === 'string' ? text : DEFAULTS[name]();
  }

  /**
   * Replaces one of the texts; null: by the one that the program brings along.
   * @throws InvalidInput `invalid_identification_text`; TooLarge `identification_text_too_large`, `yaml_too_large`
   */
  async set(name: IdentificationTextName, text: string | null): Promise<void> {
    if (text === null || text === DEFAULTS[name]()) return this.#values.remove(`identify_${name}`);
    if (text.length > MAX_LENGTH) {
      throw new TooLarge('identification_text_too_large', `The text is longer than ${MAX_LENGTH} characters.`);
    }
    await this.#check(name, text);
    await this.#values.set(`identify_${name}`, text);
  }

  async #check(name: IdentificationTextName, text: string): Promise<void> {
    if (name === 'mimes') readMimeKinds(text);
    else if (name === 'patterns') readLabelPatterns(text);
    else if (name === 'yara') {
      const problem = yaraProblem(text);
      if (problem !== undefined) throw invalidText(`The Yara file you have submitted is invalid: ${problem}`);
    } else if ((await this.#identification.problemOfRules(text)) !== undefined) {
      throw invalidText('The magic file you have submitted is invalid.');
    }
  }
}

/** Reads kinds by media type from YAML. @throws InvalidInput `invalid_identification_text`; TooLarge */
export function readMimeKinds(text: string): Readonly<Record<string, string>> {
  const kinds = readYaml(text);
  if (typeof kinds !== 'object' || kinds === null || Array.isArray(kinds)) {
    throw invalidText('The text must be a YAML mapping from media types to kinds of files.');
  }
  for (const [mime, kind] of Object.entries(kinds)) {
    if (!KIND.test(mime)) throw invalidText(`Invalid mimetype in item: [${mime}: ${kind}]`);
    if (typeof kind !== 'string' || !KIND.test(kind)) throw invalidText(`Invalid AL type in item [${mime}: ${kind}]`);
  }
  return kinds as Readonly<Record<string, string>>;
}

/** Compiles patterns of labels from YAML. @throws InvalidInput `invalid_identification_text`; TooLarge */
export function readLabelPatterns(text: string): LabelMatcher {
  const patterns = readYaml(text);
  if (!Array.isArray(patterns) || patterns.length > MAX_PATTERNS) {
    throw invalidText(`The text must be a YAML list of at most ${MAX_PATTERNS} patterns.`);
  }
  return new LabelMatcher(patterns.map(readPattern));
}

function readPattern(pattern: unknown): LabelPattern {
  const shown = JSON.stringify(pattern)?.slice(0, 200);
  const { al_type: kind, regex } = (pattern ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === undefined) throw invalidText(`Missing 'al_type' in pattern: ${shown}`);
  if (typeof kind !== 'string' || !KIND.test(kind)) throw invalidText(`Invalid 'al_type' in pattern: ${shown}`);
  if (regex === undefined) throw invalidText(`Missing 'regex' in pattern: ${shown}`);
  if (typeof regex !== 'string' || regex.length > MAX_PATTERN_LENGTH) {
    throw invalidText(`The 'regex' must be a string of at most ${MAX_PATTERN_LENGTH} characters in pattern: ${shown}`);
  }
  try {
    new LabelMatcher([{ al_type: kind, regex }]);
  } catch (error) {
    throw invalidText(`Invalid regular expression in pattern: '${regex}' (${messageOf(error)})`);
  }
  return { al_type: kind, regex };
}

function readYaml(text: string): unknown {
  try {
    return readPlainYaml(text);
  } catch (error) {
    if (error instanceof InvalidInput) throw invalidText(`The text is not valid YAML: ${error.message}`);
    throw error;
  }
}

function invalidText(message: string): InvalidInput {
  return new InvalidInput('invalid_identification_text', message, { response: { success: false } });
}
