import { type LexerToken, lex, type TokenKind } from '../../../../../src/datastore/query-language/query-lexer.ts';
import { MAX_QUERY_LENGTH } from '../../../../../src/datastore/query-language/query-parser.ts';

/** The part that a token plays in a query, which decides its colour. */
export type TokenRole = 'field' | 'operator' | 'value' | 'quoted' | 'pattern' | 'bracket' | 'invalid';

export interface RoleSpan {
  readonly from: number;
  readonly to: number;
  readonly role: TokenRole;
}

const ROLES: Readonly<Partial<Record<TokenKind, TokenRole>>> = {
  and: 'operator',
  or: 'operator',
  not: 'operator',
  plus: 'operator',
  minus: 'operator',
  bare_operator: 'invalid',
  open: 'bracket',
  close: 'bracket',
  colon: 'field',
  caret: 'operator',
  number: 'value',
  term: 'value',
  quoted: 'quoted',
  star: 'pattern',
  fuzzy: 'pattern',
  prefix: 'pattern',
  wildcard: 'pattern',
  regexp: 'pattern',
  range_open: 'bracket',
  range_close: 'bracket',
  range_to: 'operator',
  range_value: 'value',
  range_quoted: 'quoted',
};

/**
 * Returns the tokens of a query, without the last one, which stands for its end; none of one that is
 * too long.
 */
export function tokensOf(text: string): readonly LexerToken[] {
  return text.length > MAX_QUERY_LENGTH ? [] : lex(text).slice(0, -1);
}

/** Returns the parts of a query that have a role, from left to right. */
export function rolesOf(text: string): readonly RoleSpan[] {
  const tokens = tokensOf(text);
  return tokens.flatMap((token, index) => {
    const role = isFieldName(tokens, index) ? 'field' : token.kind === 'broken' ? 'invalid' : ROLES[token.kind];
    return role ? [{ from: token.at, to: endOf(token, text), role }] : [];
  });
}

/** Returns true for the name of a field, which a colon follows. */
export function isFieldName(tokens: readonly LexerToken[], index: number): boolean {
  const kind = tokens[index]?.kind;
  return (kind === 'term' || kind === 'star') && tokens[index + 1]?.kind === 'colon';
}

/** Returns the end of a token. The image of a broken one is the reason; nothing after it is read. */
export function endOf(token: LexerToken, text: string): number {
  return token.kind === 'broken' ? text.length : token.at + token.image.length;
}
