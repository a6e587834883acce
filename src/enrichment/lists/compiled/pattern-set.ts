import { RE2JS, RE2Set } from 're2js';
import { kindOf } from './entry-keys.ts';
import { PATTERN_LIMITS } from './pattern-limits.ts';

export interface Pattern {
  readonly match: 'substring' | 'regex';
  /** Empty: values of every type. */
  readonly type: string;
  readonly pattern: string;
  readonly detail: number;
}

/** Characters of a value that patterns see. */
const MAX_TEXT = 4096;
/** Bytes of the states that expressions are run with. */
const AUTOMATON_MEMORY = 4 * 1024 * 1024;
const GRAM = PATTERN_LIMITS.shortest;

interface IndexedSubstring {
  readonly pattern: Pattern;
  readonly text: string;
  /** Position of the trigram by which it is found. */
  readonly at: number;
}

/** Finds all patterns of a list in one pass each for substrings and for expressions. */
export class PatternSet {
  /** Substrings by one of their trigrams: the one that the fewest others have. */
  readonly #grams = new Map<string, IndexedSubstring[]>();
  readonly #expressions: Pattern[] = [];
  readonly #set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE, AUTOMATON_MEMORY);

  constructor(patterns: readonly Pattern[]) {
    for (const pattern of patterns) {
      if (pattern.match === 'substring') {
        this.#addSubstring(pattern);
      } else {
        this.#set.add(pattern.pattern);
        this.#expressions.push(pattern);
      }
    }
    this.#set.compile();
  }

  /** Returns the patterns that a value in lower case contains. */
  find(whole: string, type: string): readonly Pattern[] {
    const text = whole.slice(0, MAX_TEXT);
    const found = new Set<Pattern>();
    for (let at = 0; at + GRAM <= text.length; at += 1) {
      for (const indexed of this.#grams.get(text.slice(at, at + GRAM)) ?? []) {
        if (text.startsWith(indexed.text, at - indexed.at)) found.add(indexed.pattern);
      }
    }
    if (this.#expressions.length > 0) {
      for (const index of this.#set.match(text)) {
        const pattern = this.#expressions[index];
        if (pattern !== undefined) found.add(pattern);
      }
    }
    return [...found].filter((pattern) => pattern.type === '' || kindOf(pattern.type) === kindOf(type));
  }

  #addSubstring(pattern: Pattern): void {
    const text = pattern.pattern.toLowerCase();
    let best = 0;
    let fewest = Number.POSITIVE_INFINITY;
    for (let at = 0; at + GRAM <= text.length && fewest > 0; at += 1) {
      const others = this.#grams.get(text.slice(at, at + GRAM))?.length ?? 0;
      if (others < fewest) [best, fewest] = [at, others];
    }
    const gram = text.slice(best, best + GRAM);
    const indexed = this.#grams.get(gram);
    if (indexed === undefined) this.#grams.set(gram, [{ pattern, text, at: best }]);
    else indexed.push({ pattern, text, at: best });
  }
}
