/**
 * What can be had again at a price, by key, at most so much of it: the oldest makes place for what is new. What was set last is the newest,
 * and what was used last with `use`. Lives in this process alone.
 */
export class BoundedCache<Key, Value extends NonNullable<unknown>> {
  readonly #limit: number;
  readonly #weigh: ((value: Value) => number) | undefined;
  readonly #entries = new Map<Key, Value>();
  #weight = 0;
  /**
   * Stands at the oldest, from one entry that makes place to the next: a new iterator would step over all that was deleted before, thousands
   * each time. It is let go when it is not moved on, because it holds on to what the map was each time it grew or was tidied up.
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

  /** As `get`; the value is the newest from now on, so that the least recently used makes place. */
  use(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#oldest = undefined;
    return value;
  }

  /** As the newest, also when the key was known. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    if (this.#weigh) this.#weight += this.#weigh(value);
    if (this.#total > this.#limit) this.#makePlace();
    else this.#oldest = undefined;
  }

  /** Whether there was one. */
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
