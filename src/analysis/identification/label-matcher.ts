import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { LabelPattern } from './label-kinds.ts';

/** Labels whose kind is remembered: trying all patterns takes some milliseconds. */
const REMEMBERED = 2000;
const NONE = '';

/** Finds the kind of a file by a label of libmagic, with patterns that cannot backtrack. */
export class LabelMatcher {
  readonly #patterns: readonly { readonly kind: string; readonly expression: RE2JS }[];
  readonly #kinds = new LRUCache<string, string>({ max: REMEMBERED });

  /** @throws Error for an expression that RE2 does not support, such as a back-reference */
  constructor(patterns: readonly LabelPattern[]) {
    this.#patterns = patterns.map(({ al_type: kind, regex }) => ({
      kind,
      expression: RE2JS.compile(regex, RE2JS.CASE_INSENSITIVE),
    }));
  }

  /** Returns the kind of the first pattern that matches. */
  kindOf(label: string): string | undefined {
    const known = this.#kinds.get(label);
    if (known !== undefined) return known === NONE ? undefined : known;
    const kind = this.#patterns.find(({ expression }) => expression.matcher(label).find())?.kind;
    this.#kinds.set(label, kind ?? NONE);
    return kind;
  }
}
