import { type Token, VALUE_GAP } from '../../query-language/analysis.ts';

/**
 * The tokens of a text field lie in one string, `␁first␁second␁`, so that a word is found by `contains(column, '␁word␁')` and an
 * exact phrase likewise. Between two values stands a token of its own made of `␂`, one for each gap of positions.
 */
export const TOKEN_SEPARATOR = '\u0001';
export const VALUE_SEPARATOR = '\u0002';
const ESCAPE = '\u0003';

const RESERVED = new RegExp(`[${TOKEN_SEPARATOR}${VALUE_SEPARATOR}${ESCAPE}]`, 'g');
const RESERVED_ANYWHERE = new RegExp(RESERVED.source);
const ESCAPED = new RegExp(`${ESCAPE}([abc])`, 'g');

/** A token or key in a form that holds no separator; the order of usual tokens is kept. */
export function escapeToken(token: string): string {
  return !RESERVED_ANYWHERE.test(token)
    ? token
    : token.replace(RESERVED, (character) => ESCAPE + (ESCAPES[character] ?? ''));
}

const ESCAPES: Readonly<Record<string, string>> = { [TOKEN_SEPARATOR]: 'a', [VALUE_SEPARATOR]: 'b', [ESCAPE]: 'c' };
const UNESCAPES: Readonly<Record<string, string>> = { a: TOKEN_SEPARATOR, b: VALUE_SEPARATOR, c: ESCAPE };

export function unescapeToken(token: string): string {
  return token.replace(ESCAPED, (_, letter: string) => UNESCAPES[letter] ?? '');
}

/** Column value of a text field; a field without a word is the separator alone. */
export function joinTokens(tokens: readonly Token[]): string {
  let text = TOKEN_SEPARATOR;
  let position = -1;
  for (const token of tokens) {
    const gaps = Math.floor((token.position - position) / VALUE_GAP);
    if (gaps > 0) text += VALUE_SEPARATOR.repeat(gaps) + TOKEN_SEPARATOR;
    text += escapeToken(token.text) + TOKEN_SEPARATOR;
    position = token.position;
  }
  return text;
}

/** The tokens of a column value with their positions. */
export function splitTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = -1;
  for (const part of text.split(TOKEN_SEPARATOR)) {
    if (part === '') continue;
    if (part.startsWith(VALUE_SEPARATOR)) {
      position += part.length * VALUE_GAP;
    } else {
      position += 1;
      tokens.push({ text: unescapeToken(part), position });
    }
  }
  return tokens;
}

/**
 * A `mapping` field has two columns: its values, and for its keys entries `key␂value`. Keys are free, so that a column for each
 * would let callers make columns without end.
 */
export function mappingColumnPath(path: string): string {
  return `${path}.*`;
}

/** Beginning of the entries of one key. */
export function mappingEntryPrefix(key: string): string {
  return escapeToken(key) + VALUE_SEPARATOR;
}
