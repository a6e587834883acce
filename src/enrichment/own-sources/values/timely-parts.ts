import type { SourceCall } from '../../sources/source-client.ts';
import { type QueryLimits, queryParts, type SoughtValue } from './sought-value.ts';

/** Milliseconds that are kept for the answer. */
const ANSWERING = 100;
/** Factor of the time that a part may take, by the longest before. */
const CAUTION = 1.5;

/**
 * Divides the values of a lookup into parts of one query each, and leaves those out for which there
 * is no time: the next part is taken to need up to half as long again as the longest before.
 */
export class TimelyParts {
  /** Values that were left out. */
  readonly left = new Set<SoughtValue>();
  readonly #limits: QueryLimits;
  readonly #deadline: number;
  readonly #now: () => number;

  /** @param now milliseconds since 1970; for tests */
  constructor(limits: QueryLimits, { deadline }: Pick<SourceCall, 'deadline'>, now: () => number = Date.now) {
    this.#limits = limits;
    this.#deadline = deadline;
    this.#now = now;
  }

  /** Yields parts to be worked on before the next is asked for. */
  *of(sought: readonly SoughtValue[]): Generator<readonly SoughtValue[]> {
    let longest = 0;
    for (const part of queryParts(sought, this.#limits)) {
      const began = this.#now();
      if (longest > 0 && began + longest * CAUTION + ANSWERING > this.#deadline) {
        for (const one of part) this.left.add(one);
        continue;
      }
      yield part;
      longest = Math.max(longest, this.#now() - began);
    }
  }
}
