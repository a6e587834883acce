import { createHash } from 'node:crypto';

/** Repeatable chance: the same seed gives the same demo. Not for secrets. */
export class DemoRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, and without, 1. (mulberry32) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number between both, which belong to it. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** A number with `digits` decimals. */
  decimal(min: number, max: number, digits = 1): number {
    return Number((min + this.next() * (max - min)).toFixed(digits));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Up to `count` different items. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    const picked: T[] = [];
    while (picked.length < count && left.length > 0)
      picked.push(...left.splice(Math.floor(this.next() * left.length), 1));
    return picked;
  }

  /** An item with a probability in proportion to its weight. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.next() * items.reduce((sum, item) => sum + item.weight, 0);
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return this.pick(items);
  }

  hex(length: number): string {
    let digits = '';
    while (digits.length < length) digits += this.integer(0, 15).toString(16);
    return digits;
  }

  /** An identifier as the program makes them: 128 random bits in base 62. */
  id(): string {
    const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
    return Array.from({ length: 22 }, () => this.pick([...alphabet])).join('');
  }
}

/** The hashes that a file of this name and edition would have. */
export function fileHashes(name: string): { readonly md5: string; readonly sha1: string; readonly sha256: string } {
  const digest = (algorithm: string) => createHash(algorithm).update(`demo file ${name}`).digest('hex');
  return { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
}
