import { BoundedCache } from './bounded-cache.ts';

export interface TimedCacheDependencies {
  /** Of entries; the oldest makes place. */
  readonly limit: number;
  /** Milliseconds for which an entry is good. */
  readonly lifetime: number;
  /** Milliseconds, any origin. */
  readonly now: () => number;
}

interface Timed<Value> {
  readonly value: Value;
  readonly since: number;
}

/** What is good for a while, by key, at most so many; the oldest makes place for what is new. Lives in this process alone. */
export class TimedCache<Value extends NonNullable<unknown>> {
  readonly #lifetime: number;
  readonly #now: () => number;
  readonly #entries: BoundedCache<string, Timed<Value>>;

  constructor({ limit, lifetime, now }: TimedCacheDependencies) {
    this.#lifetime = lifetime;
    this.#now = now;
    this.#entries = new BoundedCache(limit);
  }

  /** Those counted that are not good any more and were not asked for since. */
  get size(): number {
    return this.#entries.size;
  }

  /** Undefined when it is not known, or has been for `lifetime`. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#now() - entry.since < this.#lifetime) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param since when the value was true. Default: now */
  set(key: string, value: Value, since: number = this.#now()): void {
    this.#entries.set(key, { value, since });
  }

  /** Whether there was one. */
  delete(key: string): boolean {
    return this.#entries.delete(key);
  }
}
