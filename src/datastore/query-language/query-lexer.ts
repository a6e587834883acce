export type TokenKind =
  | 'and'
  | 'or'
  | 'not'
  | 'plus'
  | 'minus'
  | 'bare_operator'
  | 'open'
  | 'close'
  | 'colon'
  | 'star'
  | 'caret'
  | 'number'
  | 'quoted'
  | 'term'
  | 'fuzzy'
  | 'prefix'
  | 'wildcard'
  | 'regexp'
  | 'range_open'
  | 'range_close'
  | 'range_to'
  | 'range_value'
  | 'range_quoted'
  /** Text that is not a token; `image` says why, and nothing follows. */
  | 'broken'
  | 'end';

export interface LexerToken {
  readonly kind: TokenKind;
  /** The source text, including escapes and quotes. */
  readonly image: string;
  /** Start offset, in UTF-16 units from 0. */
  readonly at: number;
}

const BLANKS = ' \t\n\r\u3000';
const NOT_IN_TERMS = `${BLANKS}+-!():^[]"{}~*?\\/`;
const WORD_OPERATORS: ReadonlyMap<string, TokenKind> = new Map([
  ['AND', 'and'],
  ['&&', 'and'],
  ['OR', 'or'],
  ['||', 'or'],
  ['NOT', 'not'],
]);
const SIGNS: ReadonlyMap<string, TokenKind> = new Map([
  ['+', 'plus'],
  ['-', 'minus'],
  ['!', 'not'],
  ['(', 'open'],
  [')', 'close'],
  [':', 'colon'],
]);

/**
 * Splits a query text into tokens, by the rules of Lucene's classic query parser: the longest token
 * wins, `[` and `{` change how everything up to the closing bracket is read, a boost is digits right after `^`. Text
 * that is not a token ends the list, because what stands before it may be wrong already.
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
      if (isBlank(this.#text, this.#at)) this.#at += 1;
      else this.#token();
    }
    this.#push('end', this.#at);
    return this.#tokens;
  }

  #token(): void {
    const character = this.#text.charAt(this.#at);
    if (character === '"') this.#quoted();
    else if (character === '/') this.#regexp();
    else if (character === '~') this.#push('fuzzy', this.#endOfTerm(this.#at + 1));
    else if (character === '^') this.#boost();
    else if (character === '[' || character === '{') this.#range();
    else if (SIGNS.has(character)) this.#sign(character);
    else this.#word(character);
  }

  #sign(character: string): void {
    const isOperator = character === '+' || character === '-' || character === '!';
    if (isOperator && isBlank(this.#text, this.#at + 1)) this.#push('bare_operator', this.#at + 2);
    else this.#push(SIGNS.get(character) ?? 'term', this.#at + 1);
  }

  #word(character: string): void {
    const start = this.#at;
    const letters = this.#endOfTerm(start);
    let end = letters;
    let wildcards = 0;
    while (isWildcard(this.#text, end)) {
      wildcards += 1;
      end = this.#endOfTerm(end + 1);
    }
    const image = this.#text.slice(start, end);
    if (character === '\\' && end === start) {
      this.#broken('The query ends with a backslash. Write \\\\ to search for a backslash.');
    } else if (end === start) {
      this.#broken(`Nothing is open that ${character} could close. Write \\${character} to search for it.`);
    } else if (wildcards === 0) this.#push(WORD_OPERATORS.get(image) ?? 'term', end);
    else if (image === '*') this.#push('star', end);
    else if (wildcards === 1 && end === letters + 1 && image.endsWith('*')) this.#push('prefix', end);
    else this.#push('wildcard', end);
  }

  /** Signs, which cannot begin a term, may stand inside. */
  #endOfTerm(from: number): number {
    let at = from;
    for (;;) {
      const character = this.#text.charAt(at);
      if (character === '\\' && at + 1 < this.#text.length) at += 2;
      else if (character === '-' || character === '+') at += 1;
      else if (character === '' || NOT_IN_TERMS.includes(character)) return at;
      else at += 1;
    }
  }

  #quoted(): void {
    let at = this.#at + 1;
    while (at < this.#text.length && this.#text.charAt(at) !== '"') at += this.#text.charAt(at) === '\\' ? 2 : 1;
    if (at < this.#text.length) this.#push('quoted', at + 1);
    else this.#broken('A quoted phrase is never closed. Write \\" for a quote inside a phrase, or to search for one.');
  }

  #regexp(): void {
    const end = this.#endOfDelimited('/');
    if (end !== -1) this.#push('regexp', end);
    else
      this.#broken(
        'A slash opens a regular expression that is never closed. Write \\/ or use quotes to search for a slash.',
      );
  }

  /** A delimiter after a backslash is the closing one only when no other follows. */
  #endOfDelimited(delimiter: string): number {
    let end = this.#text.indexOf(delimiter, this.#at + 1);
    while (end > this.#at + 1 && this.#text.charAt(end - 1) === '\\') {
      const next = this.#text.indexOf(delimiter, end + 1);
      if (next === -1) break;
      end = next;
    }
    return end === -1 ? -1 : end + 1;
  }

  #boost(): void {
    this.#push('caret', this.#at + 1);
    let end = this.#endOfDigits(this.#at);
    if (this.#at === this.#text.length) return;
    if (this.#text.charAt(end) === '.' && this.#endOfDigits(end + 1) > end + 1) end = this.#endOfDigits(end + 1);
    if (end > this.#at) this.#push('number', end);
    else this.#broken('A boost is a number right after the ^, such as ^2 or ^0.5. Write \\^ to search for a ^.');
  }

  #endOfDigits(from: number): number {
    let at = from;
    while (this.#text.charAt(at) >= '0' && this.#text.charAt(at) <= '9') at += 1;
    return at;
  }

  #range(): void {
    this.#push('range_open', this.#at + 1);
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === ']' || character === '}') {
        this.#push('range_close', this.#at + 1);
        return;
      }
      const end = this.#endOfRangeValue();
      if (character === ' ' || (end === this.#at + 1 && isBlank(this.#text, this.#at))) this.#at += 1;
      else this.#rangeValue(end);
    }
  }

  #endOfRangeValue(): number {
    let at = this.#at;
    while (at < this.#text.length && !' ]}'.includes(this.#text.charAt(at))) at += 1;
    return at;
  }

  #rangeValue(end: number): void {
    const quotedEnd = this.#text.charAt(this.#at) === '"' ? this.#endOfDelimited('"') : -1;
    if (quotedEnd >= end && quotedEnd > this.#at + 2) this.#push('range_quoted', quotedEnd);
    else this.#push(this.#text.slice(this.#at, end) === 'TO' ? 'range_to' : 'range_value', end);
  }

  #broken(reason: string): void {
    this.#tokens.push({ kind: 'broken', image: reason, at: this.#at });
    this.#at = this.#text.length;
  }

  #push(kind: TokenKind, end: number): void {
    this.#tokens.push({ kind, image: this.#text.slice(this.#at, end), at: this.#at });
    this.#at = end;
  }
}

function isBlank(text: string, at: number): boolean {
  return at < text.length && BLANKS.includes(text.charAt(at));
}

function isWildcard(text: string, at: number): boolean {
  return text.charAt(at) === '*' || text.charAt(at) === '?';
}
