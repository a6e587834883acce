/** Results of pure functions, at most `limit` of them; the oldest goes first. */
export class BoundedCache<Value> {
  readonly #limit: number;
  readonly #entries = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The stored value, or what `make` gives. Nothing is stored when `make` throws. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (this.#entries.size >= this.#limit) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, value);
    return value;
  }
}
