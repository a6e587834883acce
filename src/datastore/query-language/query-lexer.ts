import { invalidQuery } from '../regular-language/query-limits.ts';
import {
  describeProblem,
  type QueryProblem,
  type QueryProblemId,
  queryProblem,
} from '../regular-language/query-problems.ts';

type Sign = 'and' | 'or' | 'not' | 'plus' | 'minus' | 'bare_operator' | 'open' | 'close' | 'colon' | 'caret' | 'number';
type Term = 'term' | 'quoted' | 'star' | 'fuzzy' | 'prefix' | 'wildcard' | 'regexp';
type RangePart = 'range_open' | 'range_close' | 'range_to' | 'range_value' | 'range_quoted';
/** `broken` is text that is not a token; `image` says why, and nothing follows. */
export type TokenKind = Sign | Term | RangePart | 'broken' | 'end';

export interface LexerToken {
  readonly kind: TokenKind;
  /** The source text, including escapes and quotes. */
  readonly image: string;
  /** Start offset, in UTF-16 units from 0. */
  readonly at: number;
  /** The reason why a `broken` token is none. */
  readonly problem?: QueryProblem;
}

const BLANK = '[ \\t\\n\\r\\u3000]';
/** Signs, which cannot begin a term, may stand inside. */
const LETTERS = '(?:[^ \\t\\n\\r\\u3000!():^[\\]"{}~*?\\\\/]|\\\\.)*';

const BLANKS = new RegExp(`${BLANK}+`, 'y');
const BARE_OPERATOR = new RegExp(`[-+!]${BLANK}`, 'y');
const WORD_START = new RegExp(LETTERS, 'sy');
const WORD = new RegExp(`${LETTERS}(?:[*?]${LETTERS})*`, 'sy');
const FUZZY = new RegExp(`~${LETTERS}`, 'sy');
const QUOTED = /"(?:[^"\\]|\\.)*"/sy;
const NUMBER = /\d*\.\d+|\d+/y;
/** A delimiter after a backslash is the closing one only when no other follows. */
const REGEXP = /\/(?:.*?(?<!\\)\/|.*\/)/sy;
const RANGE_QUOTED = /"(?:.*?(?<!\\)"|.*")/sy;
const RANGE_BLANK = new RegExp(` |${BLANK}(?=[ \\]}]|$)`, 'y');
const RANGE_VALUE = /[^ \]}]+/y;

const OPERATORS = { AND: 'and', '&&': 'and', OR: 'or', '||': 'or', NOT: 'not' } as const;
const WORD_OPERATORS: ReadonlyMap<string, TokenKind> = new Map(Object.entries(OPERATORS));
const SIGN_KINDS = { '+': 'plus', '-': 'minus', '!': 'not', '(': 'open', ')': 'close', ':': 'colon' } as const;
const SIGNS: ReadonlyMap<string, TokenKind> = new Map(Object.entries(SIGN_KINDS));

/**
 * Splits a query into tokens by the rules of Lucene's classic query parser; the longest token wins.
 * Text that is not a token ends the list, because what stands before it may be wrong already.
 */
export function lex(text: string): readonly LexerToken[] {
  return new Lexer(text).all();
}

class Lexer {
  readonly #text: string;
  readonly #tokens: LexerToken[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  all(): readonly LexerToken[] {
    while (this.#at < this.#text.length) {
      this.#at = this.#end(BLANKS);
      if (this.#at < this.#text.length) this.#token();
    }
    this.#push('end', this.#at);
    return this.#tokens;
  }

  #token(): void {
    const character = this.#text.charAt(this.#at);
    const sign = SIGNS.get(character);
    if (character === '"') {
      this.#take('quoted', QUOTED, 'open_phrase');
    } else if (character === '/') {
      this.#take('regexp', REGEXP, 'open_regexp');
    } else if (character === '~') this.#push('fuzzy', this.#end(FUZZY));
    else if (character === '^') this.#boost();
    else if (character === '[' || character === '{') this.#range();
    else if (this.#end(BARE_OPERATOR) > this.#at) this.#push('bare_operator', this.#at + 2);
    else if (sign) this.#push(sign, this.#at + 1);
    else this.#word(character);
  }

  #word(character: string): void {
    const end = this.#end(WORD);
    const image = this.#text.slice(this.#at, end);
    const wildcards = this.#text.slice(this.#end(WORD_START), end);
    if (image === '' && character === '\\') {
      this.#broken(queryProblem('final_backslash'));
    } else if (image === '') {
      this.#broken(queryProblem('nothing_open', { character }));
    } else if (wildcards === '') this.#push(WORD_OPERATORS.get(image) ?? 'term', end);
    else if (image === '*') this.#push('star', end);
    else this.#push(wildcards === '*' ? 'prefix' : 'wildcard', end);
  }

  #boost(): void {
    this.#push('caret', this.#at + 1);
    if (this.#at === this.#text.length) return;
    this.#take('number', NUMBER, 'bad_boost');
  }

  /** Everything up to the closing bracket is read otherwise. */
  #range(): void {
    this.#push('range_open', this.#at + 1);
    while (this.#at < this.#text.length) {
      if (']}'.includes(this.#text.charAt(this.#at))) {
        this.#push('range_close', this.#at + 1);
        return;
      }
      const end = this.#end(RANGE_VALUE);
      const quotedEnd = this.#end(RANGE_QUOTED);
      if (this.#end(RANGE_BLANK) > this.#at) this.#at += 1;
      else if (quotedEnd >= end && quotedEnd > this.#at + 2) this.#push('range_quoted', quotedEnd);
      else this.#push(this.#text.slice(this.#at, end) === 'TO' ? 'range_to' : 'range_value', end);
    }
  }

  /** Returns the end of what the expression matches here; the present offset where it does not. */
  #end(expression: RegExp): number {
    expression.lastIndex = this.#at;
    return expression.test(this.#text) ? expression.lastIndex : this.#at;
  }

  #take(kind: TokenKind, expression: RegExp, problem: QueryProblemId): void {
    const end = this.#end(expression);
    if (end > this.#at) this.#push(kind, end);
    else this.#broken(queryProblem(problem));
  }

  #broken(problem: QueryProblem): void {
    this.#tokens.push({ kind: 'broken', image: describeProblem(problem), at: this.#at, problem });
    this.#at = this.#text.length;
  }

  #push(kind: TokenKind, end: number): void {
    this.#tokens.push({ kind, image: this.#text.slice(this.#at, end), at: this.#at });
    this.#at = end;
  }
}

/** Takes backslashes out of a term at a position: `\x` is x, `\u0041` is A; throws `invalid_query`. */
export function unescapeTerm(text: string, at: number): string {
  if (!text.includes('\\')) return text;
  const plain = text.replace(
    /\\(?:u([0-9a-fA-F]{4})|(.?))/gs,
    (_, hex: string | undefined, character: string, offset: number) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (character === 'u') throw invalidQuery(queryProblem('bad_unicode_escape'), at + offset);
      if (character === '') throw invalidQuery(queryProblem('backslash_ends_value'), at + offset);
      return character;
    },
  );
  if (plain.includes('\0') || !plain.isWellFormed()) {
    throw invalidQuery(queryProblem('bad_escape'), at);
  }
  return plain;
}
