import { type Token, VALUE_GAP } from '../../query-language/analysis.ts';

/** Separates tokens, `␁first␁second␁`, to find by `contains`; a `␂` for each gap separates two values. */
export const TOKEN_SEPARATOR = '\u0001';
export const VALUE_SEPARATOR = '\u0002';
export const ESCAPE = '\u0003';

const CONTROLS = TOKEN_SEPARATOR + VALUE_SEPARATOR + ESCAPE;
const RESERVED = new RegExp(`[${CONTROLS}]`, 'g');
const RESERVED_ANYWHERE = new RegExp(RESERVED.source);
const ESCAPED = new RegExp(`${ESCAPE}([abc])`, 'g');

/** Returns a token or key without separators; the order of usual tokens is kept. */
export function escapeToken(token: string): string {
  if (!RESERVED_ANYWHERE.test(token)) return token;
  return token.replace(RESERVED, (character) => ESCAPE + 'abc'.charAt(CONTROLS.indexOf(character)));
}

export function unescapeToken(token: string): string {
  return token.replace(ESCAPED, (_, letter: string) => CONTROLS.charAt('abc'.indexOf(letter)));
}

/** Returns the column value of text; a field without a word is the separator alone. */
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

/** Returns the path of the column of all entries `key␂value` of a `mapping`, whose keys have no limit. */
export function mappingColumnPath(path: string): string {
  return `${path}.*`;
}

export function mappingEntryPrefix(key: string): string {
  return escapeToken(key) + VALUE_SEPARATOR;
}
