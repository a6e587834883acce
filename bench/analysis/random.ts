/** Generates deterministic random numbers (mulberry32), and draws from them. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 7, 2_654_435_761) >>> 0;
  }

  /** Returns a number from 0 to 1, without 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  integer(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** Returns a number below the limit, small ones more often, as few values make up most of real data. */
  skewed(limit: number): number {
    return Math.floor(this.fraction() ** 3 * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.integer(values.length)] as T;
  }

  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.integer(4_294_967_296).toString(16).padStart(8, '0');
    return text.slice(0, length);
  }
}
