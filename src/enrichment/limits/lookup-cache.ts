export interface LookupCacheOptions {
  /** Bytes of all entries together. Default: 128 MB. */
  readonly maxBytes?: number;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

interface Entry {
  readonly owner: string;
  readonly text: string;
  readonly bytes: number;
  readonly until: number;
}

const MAX_BYTES = 128 * 1024 * 1024;
/** Bytes of an entry beside its strings, measured on Node 24. */
const ENTRY_BYTES = 250;

/**
 * Keeps answers of sources as JSON, for all sources of the process. Above 128 MB the oldest ones are
 * evicted first; the entries of one user take at most a quarter of that, so that a user with many
 * lookups evicts only their own. As JSON, the size of an answer is known and no caller can change it
 * for others; reading one with three annotations takes 10 µs.
 */
export class LookupCache {
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #owners = new Map<string, { bytes: number; readonly keys: Set<string> }>();
  readonly #flights = new Map<string, Promise<string | undefined>>();
  #bytes = 0;

  constructor({ maxBytes = MAX_BYTES, now = Date.now }: LookupCacheOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** Bytes of all entries, as estimated from their strings. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the JSON of an answer; undefined when there is none or it is too old. */
  get(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > this.#now()) return entry?.text;
    this.#drop(key, entry);
    return undefined;
  }

  /** Stores the JSON of an answer for `lifetime` milliseconds. @param owner who has it in their share */
  put(key: string, owner: string, text: string, lifetime: number): void {
    const before = this.#entries.get(key);
    if (before !== undefined) this.#drop(key, before);
    // Strings may have two bytes a character.
    const bytes = 2 * (key.length + text.length) + ENTRY_BYTES;
    const share = this.#maxBytes / 4;
    if (bytes > share) return;
    const owned = this.#owners.get(owner) ?? { bytes: 0, keys: new Set<string>() };
    this.#owners.set(owner, owned);
    this.#entries.set(key, { owner, text, bytes, until: this.#now() + lifetime });
    owned.keys.add(key);
    owned.bytes += bytes;
    this.#bytes += bytes;
    while (owned.bytes > share) this.#dropFirst(owned.keys);
    while (this.#bytes > this.#maxBytes) this.#dropFirst(this.#entries.keys());
  }

  /** Returns the answer to the same question that is under way; undefined is its result when it fails. */
  underWay(key: string): Promise<string | undefined> | undefined {
    return this.#flights.get(key);
  }

  /**
   * Marks a question as under way; returns a function that ends this, with the JSON of the answer if
   * there is one.
   */
  begin(key: string): (text: string | undefined) => void {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#flights.set(key, promise);
    return (text) => {
      if (this.#flights.get(key) === promise) this.#flights.delete(key);
      resolve(text);
    };
  }

  #dropFirst(keys: Iterable<string>): void {
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) this.#drop(key, entry);
      return;
    }
  }

  #drop(key: string, { owner, bytes }: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= bytes;
    const owned = this.#owners.get(owner);
    if (owned === undefined) return;
    owned.keys.delete(key);
    owned.bytes -= bytes;
    if (owned.keys.size === 0) this.#owners.delete(owner);
  }
}
