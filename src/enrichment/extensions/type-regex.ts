import { RE2JS } from 're2js';
import { messageOf } from '../../errors/errors.ts';

/** Returns why an expression is not usable: RE2 validates with it, and web pages detect with it. */
export function problemOfRegex(regex: string): string | undefined {
  try {
    RE2JS.compile(regex);
  } catch (error) {
    return `RE2 does not accept it: ${messageOf(error)}`;
  }
  try {
    new RegExp(regex);
  } catch (error) {
    return `JavaScript does not accept it: ${messageOf(error)}`;
  }
  return undefined;
}

/** Characters of an expression. */
const MAX_REGEX_LENGTH = 4096;
const NAME = /^[a-z][a-z0-9_.-]{0,63}$/;

/** Returns the key of a type. @throws Error for unusable names and expressions */
export function keyOfType(type: unknown, regex: unknown, namespace: unknown): string {
  for (const [what, name] of [['type', type], ...(namespace === null ? [] : [['namespace', namespace]])] as const) {
    // Selectors of lookups are normalised: lower case, and `eml` means `email`.
    if (typeof name !== 'string' || !NAME.test(name) || name.includes('eml')) {
      throw new Error(
        `The ${what} "${name}" is not usable: lower-case letters, digits, _, . and - are allowed, without "eml".`,
      );
    }
  }
  const key = namespace === null ? String(type) : `${namespace}/${type}`;
  if (regex === null) return key;
  if (typeof regex !== 'string' || regex.length > MAX_REGEX_LENGTH) {
    throw new Error(`The expression of the type ${key} must be a string of at most ${MAX_REGEX_LENGTH} characters.`);
  }
  const problem = problemOfRegex(regex);
  if (problem !== undefined) throw new Error(`The expression of the type ${key} is refused. ${problem}`);
  return key;
}
