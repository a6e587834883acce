import { allOf, type QueryNode } from '../datastore/port/query-tree.ts';
import { UNASSIGNED } from '../documents/kinds/hit.ts';
import { isReservedKey } from '../documents/schema/plain-objects.ts';
import { InvalidInput } from '../errors/errors.ts';

/** The longest user name, in UTF-16 code units. */
export const MAX_USERNAME = 256;

/** Words in the place of a user name below `/api/v1/user/` and `/api/v4/user/`; a test compares them. */
const PATH_WORDS = [
  ...['avatar', 'favorites', 'groups', 'list', 'quotas', 'settings', 'submission_params', 'tos', 'whoami'],
] as const;
/** Names that mean something else where a user name is expected. */
const OTHER_MEANINGS = ['.', '..', UNASSIGNED, 'anonymous', 'internal', 'none', 'system'] as const;

const RESERVED: ReadonlySet<string> = new Set([...PATH_WORDS, ...OTHER_MEANINGS]);
/** Accounts of an installation, which a provider cannot name. */
const NOT_OF_PROVIDERS: ReadonlySet<string> = new Set(['admin', 'administrator']);

/** Checks the name of a new account. @throws InvalidInput `invalid_username` */
export function checkUsername(username: string): void {
  if (/[{}]/.test(username)) throw new InvalidInput('invalid_username', "You can't use '{}' in the username");
  // Basic authentication splits at a colon; control characters and slashes do not survive headers and paths. Names that differ
  // in an invisible character look alike.
  if (username === '' || username.length > MAX_USERNAME || /[:/\s\p{Cc}\p{Cf}\p{Cs}]/u.test(username)) {
    throw new InvalidInput(
      'invalid_username',
      `A user name has 1 to ${MAX_USERNAME} characters, without colon, slash, blank, control and invisible characters.`,
    );
  }
  if (/^__.*__$/.test(username)) {
    throw new InvalidInput(
      'invalid_username',
      'Names that begin and end with two underscores are reserved. Choose another user name.',
    );
  }
  if (isReserved(username)) {
    throw new InvalidInput('invalid_username', `"${username}" is a reserved word. Choose another user name.`);
  }
}

/** Records have values by user name, such as reactions, so names that become no key are reserved too. */
function isReserved(username: string): boolean {
  return RESERVED.has(username.toLowerCase()) || isReservedKey(username);
}

/** Returns whether an account for a user of a provider may have this name. */
export function isNameForProviderUser(username: string): boolean {
  return !isReserved(username) && !NOT_OF_PROVIDERS.has(username.toLowerCase());
}

/** Returns whether two names are equal but for the case of letters. */
export function isSimilarName(left: string, right: string): boolean {
  return left.toUpperCase().toLowerCase() === right.toUpperCase().toLowerCase();
}

/** Characters of a name in one regular expression: engines limit its length to 1,000. */
const CHUNK = 120;

/** Returns a query for similar names. It may find others; `isSimilarName` decides. */
export function similarNames(field: string, username: string): QueryNode {
  const letters = Array.from(username, inAnyCase);
  const chunks = Array.from({ length: Math.ceil(letters.length / CHUNK) }, (_, number) => {
    const pattern = letters.slice(number * CHUNK, (number + 1) * CHUNK).join('');
    const isLast = (number + 1) * CHUNK >= letters.length;
    return { kind: 'regexp', field, pattern: `${number === 0 ? '' : '.*'}${pattern}${isLast ? '' : '.*'}` } as const;
  });
  return allOf(...chunks);
}

/** A pattern for a character in every case that is one character. */
function inAnyCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  const forms = new Set([letter, lower, upper, upper.toLowerCase(), lower.toUpperCase()]);
  const single = [...forms].filter((form) => Array.from(form).length === 1);
  if (single.length > 1) return `[${single.join('')}]`;
  return /[\p{L}\p{N}]/u.test(letter) ? letter : `\\${letter}`;
}
