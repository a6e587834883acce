import { LRUCache } from 'lru-cache';

/** Remembers recent failures in this process, for stricter checks or a pause before the next attempt. */
export class RecentFailures<Failure extends object> {
  readonly #entries: LRUCache<string, { readonly failure: Failure; readonly since: number }>;
  readonly #lifetime: number;
  readonly #now: () => number;

  /** @param dependencies.lifetime milliseconds. Beyond `limit` entries the oldest are evicted. */
  constructor(dependencies: { readonly limit: number; readonly lifetime: number; readonly now: () => number }) {
    this.#entries = new LRUCache({ max: dependencies.limit });
    this.#lifetime = dependencies.lifetime;
    this.#now = dependencies.now;
  }

  get(key: string): Failure | undefined {
    const entry = this.#entries.size === 0 ? undefined : this.#entries.peek(key);
    if (entry === undefined || this.#now() - entry.since < this.#lifetime) return entry?.failure;
    this.#entries.delete(key);
    return undefined;
  }

  add(key: string, failure: Failure): void {
    this.#entries.set(key, { failure, since: this.#now() });
  }
}
