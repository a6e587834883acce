import type { CodePointRange } from './automaton.ts';
import { describeProblem, type QueryProblem, type QueryProblemId, queryProblem } from './query-problems.ts';

export type RegexpNode =
  | { readonly kind: 'either'; readonly options: readonly RegexpNode[] }
  | { readonly kind: 'both'; readonly options: readonly RegexpNode[] }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexpNode[] }
  /** `max` may be Infinity. */
  | { readonly kind: 'repeat'; readonly inner: RegexpNode; readonly min: number; readonly max: number }
  | { readonly kind: 'not'; readonly inner: RegexpNode }
  | { readonly kind: 'characters'; readonly ranges: readonly CodePointRange[]; readonly negated: boolean }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'any_character' }
  | { readonly kind: 'any_text' }
  | { readonly kind: 'nothing' }
  /** A decimal number, `digits` long with leading zeros, or with any number of them when 0. */
  | { readonly kind: 'interval'; readonly min: number; readonly max: number; readonly digits: number };

export class MalformedRegexp extends Error {
  readonly problem: QueryProblem;

  constructor(id: QueryProblemId, values?: QueryProblem['values']) {
    const problem = queryProblem(id, values);
    super(describeProblem(problem));
    this.problem = problem;
  }
}

/** Longest pattern, in UTF-16 units. */
export const MAX_REGEXP_LENGTH = 1000;
const MAX_INTEGER = 2 ** 31 - 1;

/** Pairs of the first and last character of a range. */
const CLASSES: Readonly<Record<string, string>> = { d: '09', s: '  \t\n\r\r', w: 'azAZ__09' };

/**
 * Parses a regular expression in Lucene's syntax with all its operators, for whole values:
 * `| & ~ ? * + {n,m} . # @ "text" () [a-z] [^a] <n-m> \d \s \w`; `^` and `$` are characters like others.
 * @throws MalformedRegexp with the reason as message
 */
export function parseRegexp(pattern: string): RegexpNode {
  if (pattern.length > MAX_REGEXP_LENGTH) throw new MalformedRegexp('regexp_long', { most: MAX_REGEXP_LENGTH });
  return pattern === '' ? { kind: 'literal', text: '' } : new RegexpParser(pattern).parse();
}

class RegexpParser {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  parse(): RegexpNode {
    const node = this.#either();
    if (this.#more()) throw new MalformedRegexp('regexp_goes_on', { character: this.#peek(), place: this.#at });
    return node;
  }

  #either(): RegexpNode {
    const options = [this.#both()];
    while (this.#take('|')) options.push(this.#both());
    return options.length === 1 && options[0] ? options[0] : { kind: 'either', options };
  }

  #both(): RegexpNode {
    const options = [this.#sequence()];
    while (this.#take('&')) options.push(this.#sequence());
    return options.length === 1 && options[0] ? options[0] : { kind: 'both', options };
  }

  #sequence(): RegexpNode {
    const parts = [this.#repeat()];
    while (this.#more() && !')|&'.includes(this.#peek())) parts.push(this.#repeat());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts };
  }

  #repeat(): RegexpNode {
    let inner = this.#complement();
    for (;;) {
      if (this.#take('?')) inner = { kind: 'repeat', inner, min: 0, max: 1 };
      else if (this.#take('*')) inner = { kind: 'repeat', inner, min: 0, max: Number.POSITIVE_INFINITY };
      else if (this.#take('+')) inner = { kind: 'repeat', inner, min: 1, max: Number.POSITIVE_INFINITY };
      else if (this.#take('{')) inner = { kind: 'repeat', inner, ...this.#counts() };
      else return inner;
    }
  }

  #counts(): { min: number; max: number } {
    const min = this.#integer();
    if (min === undefined) throw new MalformedRegexp('regexp_no_count', { place: this.#at });
    const max = this.#take(',') ? (this.#integer() ?? Number.POSITIVE_INFINITY) : min;
    this.#expect('}');
    if (max < min) throw new MalformedRegexp('regexp_counts', { min, max });
    return { min, max };
  }

  #integer(): number | undefined {
    let digits = '';
    while (/^\d$/.test(this.#peek())) digits += this.#next();
    if (Number(digits) > MAX_INTEGER) throw new MalformedRegexp('regexp_number', { digits });
    return digits === '' ? undefined : Number(digits);
  }

  #complement(): RegexpNode {
    return this.#take('~') ? { kind: 'not', inner: this.#complement() } : this.#simple();
  }

  #simple(): RegexpNode {
    if (this.#take('[')) return this.#characterClass();
    if (this.#take('.')) return { kind: 'any_character' };
    if (this.#take('#')) return { kind: 'nothing' };
    if (this.#take('@')) return { kind: 'any_text' };
    if (this.#take('"')) return { kind: 'literal', text: this.#until('"') };
    if (this.#take('(')) return this.#parenthesised();
    if (this.#take('<')) return interval(this.#until('>'));
    const predefined = this.#predefinedClass();
    return predefined ? { kind: 'characters', ...predefined } : { kind: 'literal', text: this.#character() };
  }

  #parenthesised(): RegexpNode {
    if (this.#take(')')) return { kind: 'literal', text: '' };
    const inner = this.#either();
    this.#expect(')');
    return inner;
  }

  #characterClass(): RegexpNode {
    const negated = this.#take('^');
    const ranges: CodePointRange[] = [];
    do ranges.push(...this.#classItem());
    while (this.#more() && this.#peek() !== ']');
    this.#expect(']');
    return { kind: 'characters', ranges, negated };
  }

  #classItem(): readonly CodePointRange[] {
    const predefined = this.#predefinedClass();
    if (predefined) return predefined.negated ? complement(predefined.ranges) : predefined.ranges;
    const first = codePoint(this.#character());
    const last = this.#take('-') ? codePoint(this.#character()) : first;
    if (first > last) throw new MalformedRegexp('regexp_backwards', { place: this.#at });
    return [[first, last]];
  }

  #predefinedClass(): { ranges: readonly CodePointRange[]; negated: boolean } | undefined {
    const letter = this.#characters[this.#at + 1] ?? '';
    if (this.#peek() !== '\\' || !/^[a-zA-Z]$/.test(letter)) return undefined;
    const pairs = CLASSES[letter.toLowerCase()];
    if (!pairs) throw new MalformedRegexp('regexp_class', { letter });
    this.#at += 2;
    const ranges = [...pairs.matchAll(/../gs)].map(([pair]) => [pair.charCodeAt(0), pair.charCodeAt(1)] as const);
    return { ranges, negated: letter !== letter.toLowerCase() };
  }

  #character(): string {
    this.#take('\\');
    return this.#next();
  }

  #until(end: string): string {
    let text = '';
    while (this.#more() && this.#peek() !== end) text += this.#next();
    this.#expect(end);
    return text;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new MalformedRegexp('regexp_missing', { character, place: this.#at });
  }

  #take(character: string): boolean {
    if (this.#characters[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw new MalformedRegexp('regexp_ends');
    this.#at += 1;
    return character;
  }

  #peek(): string {
    return this.#characters[this.#at] ?? '';
  }

  #more(): boolean {
    return this.#at < this.#characters.length;
  }
}

function interval(text: string): RegexpNode {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (from === undefined || to === undefined || Number(from) > MAX_INTEGER || Number(to) > MAX_INTEGER) {
    throw new MalformedRegexp('regexp_interval', { text });
  }
  const [min, max] = [Number(from), Number(to)].sort((a, b) => a - b);
  return { kind: 'interval', min: min ?? 0, max: max ?? 0, digits: from.length === to.length ? from.length : 0 };
}

export function complement(ranges: readonly CodePointRange[]): readonly CodePointRange[] {
  const others: CodePointRange[] = [];
  let next = 0;
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (first > next) others.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= 0x10ffff) others.push([next, 0x10ffff]);
  return others;
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}
