import { BoundedCache } from './bounded-cache.ts';

export interface TimedCacheDependencies {
  /** Maximum number of entries; the oldest is evicted. */
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

/**
 * Caches values for a limited time, up to a maximum number of entries, and evicts the oldest first.
 * Lives in this process only.
 */
export class TimedCache<Value extends NonNullable<unknown>> {
  readonly #lifetime: number;
  readonly #now: () => number;
  readonly #entries: BoundedCache<string, Timed<Value>>;

  constructor({ limit, lifetime, now }: TimedCacheDependencies) {
    this.#lifetime = lifetime;
    this.#now = now;
    this.#entries = new BoundedCache(limit);
  }

  /** Number of entries, including expired ones that were not requested since. */
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

  /** Removes the entry and returns true when there was one. */
  delete(key: string): boolean {
    return this.#entries.delete(key);
  }
}
