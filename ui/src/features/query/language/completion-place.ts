import { type LexerToken, unescapeTerm } from '../../../../../src/datastore/query-language/query-lexer.ts';
import { endOf, isFieldName, tokensOf } from './query-tokens.ts';

/** The kind of thing that belongs at the cursor, and the part of the text that a completion replaces. */
export interface CompletionPlace {
  readonly kind: 'field' | 'value' | 'operator';
  readonly from: number;
  readonly to: number;
  /** The typed beginning of it, without quotes and escapes. */
  readonly typed: string;
  /** A clause stands before it, so that an operator may follow. */
  readonly followsClause?: boolean;
  /** The field of a value. */
  readonly field?: string | undefined;
  /** A sign such as `>=` stands before the value. */
  readonly followsSign?: boolean;
  /** Inside the brackets of a range. */
  readonly inRange?: boolean;
}

/** Longest part before the cursor that is read for completions. */
const MAX_LENGTH = 20_000;
const WORD = /^(?:[^ \t\n\r\u3000!():^[\]"{}~*?\\/]|\\.)*/s;
const RANGE_WORD = /^[^ \]}]*/;
const CLAUSE_ENDS: ReadonlySet<string> = new Set([
  'term',
  'quoted',
  'star',
  'fuzzy',
  'prefix',
  'wildcard',
  'regexp',
  'range_close',
  'close',
  'number',
]);

/**
 * Returns what can be completed at a position; undefined in the middle of a long query and inside a
 * pattern.
 */
export function completionPlace(text: string, cursor: number): CompletionPlace | undefined {
  if (cursor > MAX_LENGTH) return undefined;
  const before = text.slice(0, cursor);
  const after = text.slice(cursor);
  const tokens = tokensOf(before);
  const last = tokens.at(-1);
  const { field, inRange } = contextOf(tokens);
  if (last === undefined) return word('field', cursor, cursor, '');
  if (last.kind === 'broken') return inQuotes(text, last, cursor, field);
  const isTouched = endOf(last, before) === cursor;
  if (inRange) return rangePlace(last, isTouched, cursor, after, field);
  const end = cursor + (WORD.exec(after)?.[0].length ?? 0);
  if (last.kind === 'colon') return { kind: 'value', from: cursor, to: end, typed: '', field };
  if (isTouched && (last.kind === 'term' || last.kind === 'prefix')) {
    const typed = typedOf(last.image);
    const previous = tokens.at(-2)?.kind ?? '';
    const followsClause = CLAUSE_ENDS.has(previous);
    if (field === undefined || followsClause) {
      return { ...word('field', last.at, end, typed), followsClause };
    }
    const sign = /^[<>]=?/.exec(last.image)?.[0].length ?? 0;
    return { kind: 'value', from: last.at + sign, to: end, typed: typed.slice(sign), field, followsSign: sign > 0 };
  }
  if (isTouched && CLAUSE_ENDS.has(last.kind)) return undefined;
  if (CLAUSE_ENDS.has(last.kind)) return { ...word('operator', cursor, end, ''), followsClause: true };
  return field === undefined
    ? word('field', cursor, end, '')
    : { kind: 'value', from: cursor, to: end, typed: '', field };
}

function word(kind: CompletionPlace['kind'], from: number, to: number, typed: string): CompletionPlace {
  return { kind, from, to, typed };
}

function rangePlace(
  last: LexerToken,
  isTouched: boolean,
  cursor: number,
  after: string,
  field: string | undefined,
): CompletionPlace {
  const to = cursor + (RANGE_WORD.exec(after)?.[0].length ?? 0);
  const isValue = isTouched && last.kind === 'range_value';
  const typed = isValue ? last.image.replace(/^"/, '') : '';
  return { kind: 'value', from: isValue ? last.at : cursor, to, typed, field, inRange: true };
}

/** A quote that is not closed yet is broken: the value lies between it and the cursor. */
function inQuotes(
  text: string,
  { at }: LexerToken,
  cursor: number,
  field: string | undefined,
): CompletionPlace | undefined {
  if (text.charAt(at) !== '"' || field === undefined) return undefined;
  const closing = /^(?:[^"\\]|\\.)*"/s.exec(text.slice(cursor))?.[0];
  const isClosed = closing !== undefined && !/[\s:()]/.test(closing);
  const to = isClosed ? cursor + closing.length : cursor;
  return { kind: 'value', from: at, to, typed: typedOf(text.slice(at + 1, cursor)), field };
}

/**
 * Returns the field that a value at the end belongs to: before the colon, or before the open
 * parenthesis.
 */
function contextOf(tokens: readonly LexerToken[]): { field: string | undefined; inRange: boolean } {
  const groups: (string | undefined)[] = [];
  let named: string | undefined;
  let inRange = false;
  for (const [index, token] of tokens.entries()) {
    const isLast = index === tokens.length - 1;
    if (isFieldName(tokens, index)) named = typedOf(token.image);
    else if (token.kind === 'colon') continue;
    else if (token.kind === 'open') groups.push(named ?? groups.at(-1));
    else if (token.kind === 'close') groups.pop();
    else if (token.kind === 'range_open') inRange = true;
    else if (token.kind === 'range_close') inRange = false;
    if (!isFieldName(tokens, index) && !inRange && !isLast) named = undefined;
  }
  return { field: named ?? groups.at(-1), inRange };
}

function typedOf(image: string): string {
  try {
    return unescapeTerm(image, 0);
  } catch {
    return image;
  }
}
