/** Number of latencies from which percentiles are computed. */
const RECENT = 256;

/** The last failed call, without text of the source, which may be above the clearance of other callers. */
export interface LastFailure {
  readonly kind: string;
  /** HTTP status, where the source answered with one. */
  readonly status: number | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Counts the calls to one source in this process, for metrics and for the list of sources. */
export class SourceStatistics {
  readonly #calls = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #recent = new Float64Array(RECENT);
  #answered = 0;
  #last: LastFailure | undefined;
  #isFailing: boolean | undefined;
  #since: number;

  /** @param now milliseconds since 1970 */
  constructor(now: number) {
    this.#since = now;
  }

  /** Calls that were made, by what they did. */
  get calls(): ReadonlyMap<string, number> {
    return this.#calls;
  }

  /** Failed calls by kind of failure; those that a limit refused by the limit. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failures;
  }

  get lastFailure(): LastFailure | undefined {
    return this.#last;
  }

  /** Returns whether the last call failed, undefined before the first one, and since when that is so. */
  get state(): { readonly isFailing: boolean | undefined; readonly since: number } {
    return { isFailing: this.#isFailing, since: this.#since };
  }

  called(kind: string): void {
    this.#calls.set(kind, (this.#calls.get(kind) ?? 0) + 1);
  }

  /** Counts an answer. @param now milliseconds since 1970 */
  answered(milliseconds: number, now: number): void {
    this.#recent[this.#answered % RECENT] = milliseconds;
    this.#answered += 1;
    this.#become(false, now);
  }

  /** Counts a failed call, or one that a limit refused for `reason`, which says nothing of the source. */
  failed(failure: LastFailure, reason?: string): void {
    const label = reason ?? failure.kind;
    this.#failures.set(label, (this.#failures.get(label) ?? 0) + 1);
    if (reason !== undefined || failure.kind === 'cancelled') return;
    this.#last = failure;
    this.#become(true, failure.at);
  }

  /** Returns percentiles of the recent latencies in milliseconds; undefined before the first answer. */
  percentiles(shares: readonly number[]): readonly number[] | undefined {
    if (this.#answered === 0) return undefined;
    const sorted = this.#recent.slice(0, Math.min(this.#answered, RECENT)).sort();
    return shares.map((share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0);
  }

  #become(isFailing: boolean, now: number): void {
    if (this.#isFailing === isFailing) return;
    this.#isFailing = isFailing;
    this.#since = now;
  }
}
