import { invalidQuery, queryTooComplex } from '../regular-language/query-limits.ts';
import { type QueryProblem, queryProblem } from '../regular-language/query-problems.ts';
import { type LexerToken, lex, type TokenKind, unescapeTerm } from './query-lexer.ts';
import type { ClauseSyntax, GroupSyntax, LeafSyntax, SyntaxBound, SyntaxNode } from './syntax-tree.ts';

/** Longest query text, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 100_000;
/** Deepest nesting of parentheses. */
export const MAX_QUERY_DEPTH = 200;
/** Maximum of terms, phrases, ranges ... of one query. */
export const MAX_QUERY_CLAUSES = 32_768;

/** Parses Lucene's classic grammar with OR as default; throws `invalid_query` with the position `at`. */
export function parseSyntax(text: string): GroupSyntax {
  rejectUnusableText(text);
  return isBlank(text) ? { kind: 'group', clauses: [], at: 0 } : new Parser(lex(text)).query();
}

/** Tokens after a word that keep it from being joined to the words before it. */
const ENDS_WORDS: ReadonlySet<TokenKind> = new Set(['colon', 'star', 'fuzzy', 'caret', 'and', 'or']);

class Parser {
  readonly #tokens: readonly LexerToken[];
  #index = 0;
  #depth = 0;
  #clauses = 0;

  constructor(tokens: readonly LexerToken[]) {
    this.#tokens = tokens;
  }

  query(): GroupSyntax {
    const group = this.#group(undefined);
    if (this.#peek().kind !== 'end') throw this.#unexpected();
    return group;
  }

  #group(field: string | undefined): GroupSyntax {
    const at = this.#peek().at;
    const clauses: ClauseSyntax[] = [this.#wordsClause(field) ?? this.#clause(field, 'none')];
    while (this.#peek().kind !== 'end' && this.#peek().kind !== 'close') {
      clauses.push(this.#wordsClause(field) ?? this.#clause(field, this.#conjunction()));
    }
    return { kind: 'group', clauses, at };
  }

  #conjunction(): ClauseSyntax['conjunction'] {
    const { kind } = this.#peek();
    if (kind !== 'and' && kind !== 'or') return 'none';
    this.#index += 1;
    return kind;
  }

  #modifier(): ClauseSyntax['modifier'] {
    const { kind } = this.#peek();
    if (kind !== 'plus' && kind !== 'minus' && kind !== 'not') return 'none';
    this.#index += 1;
    return kind === 'plus' ? 'required' : 'prohibited';
  }

  /** Two or more words in a row, none of which belongs to what follows. */
  #wordsClause(field: string | undefined): ClauseSyntax | undefined {
    const first = this.#peek();
    if (first.kind !== 'term' || !this.#joinsWords(1)) return undefined;
    const images = [this.#take().image];
    this.#countClause(first);
    while (this.#joinsWords(0)) {
      images.push(this.#take().image);
      if (images.length > MAX_QUERY_CLAUSES)
        throw queryTooComplex(queryProblem('many_expanded', { most: MAX_QUERY_CLAUSES }), first.at);
    }
    const node = { ...words(unescapeTerm(images.join(' '), first.at), true), field, at: first.at, end: this.#end() };
    return { conjunction: 'none', modifier: 'none', node };
  }

  #joinsWords(ahead: number): boolean {
    return this.#peek(ahead).kind === 'term' && !ENDS_WORDS.has(this.#peek(ahead + 1).kind);
  }

  #clause(outerField: string | undefined, conjunction: ClauseSyntax['conjunction']): ClauseSyntax {
    const modifier = this.#modifier();
    const field = this.#field() ?? outerField;
    const node = this.#peek().kind === 'open' ? this.#parenthesised(field) : this.#term(field);
    return { conjunction, modifier, node };
  }

  #field(): string | undefined {
    const { kind, image, at } = this.#peek();
    if ((kind !== 'term' && kind !== 'star') || this.#peek(1).kind !== 'colon') return undefined;
    this.#index += 2;
    return kind === 'star' ? '*' : unescapeTerm(image, at);
  }

  #parenthesised(field: string | undefined): SyntaxNode {
    const open = this.#take();
    this.#depth += 1;
    if (this.#depth > MAX_QUERY_DEPTH) {
      throw queryTooComplex(queryProblem('deep', { most: MAX_QUERY_DEPTH }), open.at);
    }
    const group = this.#group(field);
    this.#depth -= 1;
    if (this.#peek().kind !== 'close') throw this.#unexpected();
    this.#index += 1;
    this.#boost();
    return group;
  }

  #term(field: string | undefined): SyntaxNode {
    const token = this.#peek();
    this.#countClause(token);
    if (token.kind === 'range_open') return this.#range(field);
    const read = TERMS[token.kind];
    if (!read) throw this.#unexpected();
    this.#index += 1;
    const boosted = this.#boost();
    const fuzzy = this.#peek().kind === 'fuzzy' ? this.#take() : undefined;
    if (fuzzy && !boosted) this.#boost();
    return { ...read(token, fuzzy), field, at: token.at, end: this.#end() };
  }

  #range(field: string | undefined): SyntaxNode {
    const open = this.#take();
    const from = this.#bound();
    if (this.#peek().kind !== 'range_to')
      throw this.#unexpected((problem) => queryProblem('range_syntax', { problem }));
    this.#index += 1;
    const to = this.#bound();
    if (this.#peek().kind !== 'range_close') throw this.#unexpected();
    const close = this.#take();
    this.#boost();
    const lower = boundOf(from, open.image === '[');
    const end = this.#end();
    return { kind: 'range', field, lower, upper: boundOf(to, close.image === ']'), at: open.at, end };
  }

  #bound(): LexerToken {
    const { kind } = this.#peek();
    if (kind !== 'range_value' && kind !== 'range_quoted' && kind !== 'range_to') throw this.#unexpected();
    return this.#take();
  }

  /** Boosts change scores, and nothing here is sorted by score. */
  #boost(): boolean {
    if (this.#peek().kind !== 'caret') return false;
    this.#index += 1;
    if (this.#peek().kind !== 'number') throw this.#unexpected();
    this.#index += 1;
    return true;
  }

  #countClause({ at }: LexerToken): void {
    this.#clauses += 1;
    if (this.#clauses > MAX_QUERY_CLAUSES) {
      throw queryTooComplex(queryProblem('many_clauses', { most: MAX_QUERY_CLAUSES }), at);
    }
  }

  /** Returns the end of the token that was taken last. */
  #end(): number {
    const { at, image } = this.#tokens[this.#index - 1] ?? END;
    return at + image.length;
  }

  #peek(ahead = 0): LexerToken {
    return this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)] ?? END;
  }

  #take(): LexerToken {
    const token = this.#peek();
    this.#index += 1;
    return token;
  }

  #unexpected(withHint: (problem: QueryProblem) => QueryProblem = (problem) => problem): Error {
    const { kind, image, at, problem: broken } = this.#peek();
    if (broken !== undefined) return invalidQuery(broken, at);
    const problem =
      kind === 'end' ? queryProblem('unexpected_end') : queryProblem('unexpected', { token: image.trim() });
    return invalidQuery(withHint(problem), at);
  }
}

const END: LexerToken = { kind: 'end', image: '', at: 0 };

type WithoutPlace<N> = N extends unknown ? Omit<N, 'field' | 'at' | 'end'> : never;
/** A clause without its field and place. */
type Content = WithoutPlace<LeafSyntax>;

const TERMS: Partial<Record<TokenKind, (token: LexerToken, fuzzy: LexerToken | undefined) => Content>> = {
  term: ({ image, at }, fuzzy) => {
    const text = unescapeTerm(image, at);
    return fuzzy ? { kind: 'fuzzy', text, maxEdits: fuzzyEdits(fuzzy, text) } : words(text, false);
  },
  bare_operator: ({ image }) => ({ kind: 'words', text: image.charAt(0), severalWords: false }),
  star: () => ({ kind: 'any_value' }),
  prefix: ({ image, at }) => ({ kind: 'prefix', text: unescapeTerm(image.slice(0, -1), at) }),
  wildcard: ({ image, at }) => {
    unescapeTerm(image, at);
    return { kind: 'wildcard', pattern: image };
  },
  regexp: ({ image, at }) => {
    unescapeTerm(image, at);
    return { kind: 'regexp', pattern: image.slice(1, -1) };
  },
  quoted: ({ image, at }, fuzzy) => {
    const text = unescapeTerm(image.slice(1, -1), at);
    return { kind: 'phrase', text, slop: fuzzy ? phraseSlop(fuzzy) : 0 };
  },
};

/** Returns bare words; `>5`, `>=5`, `<5`, `<=5` in front make all of them one bound of a range. */
function words(text: string, severalWords: boolean): Content {
  const [, operator, equals, value] = /^([<>])(=(?=.))?(.+)$/s.exec(text) ?? [];
  if (operator === undefined || value === undefined) return { kind: 'words', text, severalWords };
  const bound = value === '*' ? undefined : { text: value, inclusive: equals !== undefined };
  return { kind: 'range', [operator === '>' ? 'lower' : 'upper']: bound };
}

/** Undefined: open. */
function boundOf({ kind, image, at }: LexerToken, inclusive: boolean): SyntaxBound | undefined {
  const text = unescapeTerm(kind === 'range_quoted' ? image.slice(1, -1) : image, at);
  return text === '*' ? undefined : { text, inclusive };
}

function fuzzyEdits({ image, at }: LexerToken, text: string): 0 | 1 | 2 {
  const amount = image.slice(1);
  if (amount === '' || amount.toUpperCase() === 'AUTO') {
    const length = [...text].length;
    return length < 3 ? 0 : length < 6 ? 1 : 2;
  }
  const edits = /^\d+(?:\.0*)?$/.test(amount) ? Number(amount) : Number.NaN;
  if (edits === 0 || edits === 1 || edits === 2) return edits;
  throw invalidQuery(queryProblem('bad_fuzzy', { amount: image }), at);
}

/** May be negative, which is wrong for phrases of several words alone. */
function phraseSlop({ image }: LexerToken): number {
  const amount = Number(image.slice(1) === '' ? Number.NaN : image.slice(1));
  return Number.isNaN(amount) ? 0 : Math.min(Math.trunc(amount), 2 ** 31 - 1);
}

/** Only the blanks of ASCII; an ideographic space separates words and is none by itself. */
function isBlank(text: string): boolean {
  return !/[!-\uFFFF]/.test(text);
}

function rejectUnusableText(text: string): void {
  if (text.length > MAX_QUERY_LENGTH) {
    const problem = queryProblem('long', { length: text.length, most: MAX_QUERY_LENGTH });
    throw queryTooComplex(problem, MAX_QUERY_LENGTH);
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) throw invalidQuery(queryProblem('nul'), nul);
  const half = text.search(/\p{Surrogate}/u);
  if (half !== -1) throw invalidQuery(queryProblem('half_pair'), half);
}
