/** Values as queries contain them: the parser reads back exactly the value that was written. */

/** Words that are operators where a value may stand. */
const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

/** Returns a value in quotes, unless it means the same without them. */
export function quotedValue(value: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.@-]*$/u.test(value) && !OPERATORS.has(value) ? value : quotedPhrase(value);
}

/**
 * Returns the bound of a range, in quotes unless it means the same without them. A backslash is
 * written by its number, because in a range no quote after a backslash ends a value.
 */
export function quotedBound(value: string): string {
  if (/^[^\s\]}"\\*]+$/.test(value) && value !== 'TO') return value;
  return `"${value.replaceAll('\\', '\\u005c').replaceAll('"', '\\"')}"`;
}

export function quotedPhrase(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Returns a value or the name of a field without quotes, its signs after backslashes. */
export function escapedTerm(value: string): string {
  if (OPERATORS.has(value)) return `\\${value}`;
  return value.replaceAll(/[^\p{L}\p{N}_.@-]|^-/gu, '\\$&');
}
