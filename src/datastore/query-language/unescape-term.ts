import { invalidQuery } from '../regular-language/query-limits.ts';

/**
 * Takes the backslashes out of a term: `\x` is x, `\u0041` is A.
 * @param at - position of the text in the query, for the error
 * @throws InvalidInput `invalid_query` for a malformed `\u`, a backslash at the end, and a NUL or half of a surrogate pair as result
 */
export function unescapeTerm(text: string, at: number): string {
  if (!text.includes('\\')) return text;
  const plain = text.replace(
    /\\(?:u([0-9a-fA-F]{4})|(.?))/gs,
    (_, hex: string | undefined, character: string, offset: number) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (character === 'u')
        throw invalidQuery('After \\u four hexadecimal digits are needed, such as \\u00e9.', at + offset);
      if (character === '')
        throw invalidQuery('A value ends with a backslash. Write \\\\ to search for a backslash.', at + offset);
      return character;
    },
  );
  if (plain.includes('\0') || !plain.isWellFormed()) {
    throw invalidQuery('An escape makes a NUL or half of a surrogate pair, which no value contains.', at);
  }
  return plain;
}
