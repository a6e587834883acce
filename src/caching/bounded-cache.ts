/**
 * Caches values up to a maximum weight and evicts the oldest entry first.
 * `set` and `use` make an entry the newest. The cache lives in this process only.
 */
export class BoundedCache<Key, Value extends NonNullable<unknown>> {
  readonly #limit: number;
  readonly #weigh: ((value: Value) => number) | undefined;
  readonly #entries = new Map<Key, Value>();
  #weight = 0;
  /**
   * Points at the oldest entry and advances from one eviction to the next.
   * A new iterator would step over thousands of deleted entries each time. It is dropped when it does not advance,
   * because it keeps earlier versions of the map alive.
   */
  #oldest: MapIterator<Key> | undefined;

  /**
   * @param limit of entries, or of what they weigh together
   * @param weigh what an entry counts; always the same for the same value. Default: each counts 1. What weighs more than `limit` is not kept.
   */
  constructor(limit: number, weigh?: (value: Value) => number) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /**
   * Returns the value like `get` and makes it the newest, so that the least recently used entry is
   * evicted first.
   */
  use(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#oldest = undefined;
    return value;
  }

  /** Stores the value as the newest entry, also when the key was known. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    if (this.#weigh) this.#weight += this.#weigh(value);
    if (this.#total > this.#limit) this.#makePlace();
    else this.#oldest = undefined;
  }

  /** Removes the entry and returns true when there was one. */
  delete(key: Key): boolean {
    if (this.#weigh) {
      const value = this.#entries.get(key);
      if (value !== undefined) this.#weight -= this.#weigh(value);
    }
    return this.#entries.delete(key);
  }

  /** The stored value, or what `make` gives. Nothing is stored when `make` throws. */
  getOrMake(key: Key, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }

  get #total(): number {
    return this.#weigh ? this.#weight : this.#entries.size;
  }

  #makePlace(): void {
    this.#oldest ??= this.#entries.keys();
    while (this.#total > this.#limit) {
      const oldest = this.#oldest.next();
      if (oldest.done) return;
      this.delete(oldest.value);
    }
  }
}
