import { isDeepStrictEqual } from 'node:util';
import type { TemporaryKeyKind } from './facts.ts';

/** Values that a list of a shared key may collect. */
const MAX_UNION = 10_000;

/**
 * Data that services of a submission leave for each other.
 * Configured keys are shared by all files, as a union of lists or by overwriting; the others belong to one file.
 */
export class SharedData {
  readonly #kinds: Readonly<Record<string, TemporaryKeyKind>>;
  readonly #values = new Map<string, unknown>();

  constructor(kinds: Readonly<Record<string, TemporaryKeyKind>>) {
    this.#kinds = kinds;
  }

  /** Stores a value, in `local` unless its key is shared. Returns whether a shared value changed. */
  set(key: string, value: unknown, local: Map<string, unknown>): boolean {
    const kind = Object.hasOwn(this.#kinds, key) ? this.#kinds[key] : undefined;
    if (kind === 'union') return this.#union(key, value);
    if (kind === undefined) {
      local.set(key, value);
      return false;
    }
    const isChanged = !this.#values.has(key) || !isDeepStrictEqual(this.#values.get(key), value);
    this.#values.set(key, value);
    return isChanged;
  }

  get(key: string, local: ReadonlyMap<string, unknown>): unknown {
    return this.#values.has(key) ? this.#values.get(key) : local.get(key);
  }

  /** Returns all values that a file has; shared ones precede its own. */
  all(local: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
    return new Map([...local, ...this.#values]);
  }

  /** Adds the new values of a list; one that is not a list changes nothing. */
  #union(key: string, given: unknown): boolean {
    const present = this.#values.get(key);
    const values: unknown[] = Array.isArray(present) ? present : [];
    this.#values.set(key, values);
    if (!Array.isArray(given)) return false;
    // Text is compared by a set: lists of passwords are long.
    const texts = new Set(values.filter((value) => typeof value === 'string'));
    let isChanged = false;
    for (const value of given) {
      if (values.length >= MAX_UNION) break;
      const isKnown =
        typeof value === 'string' ? texts.has(value) : values.some((one) => isDeepStrictEqual(one, value));
      if (isKnown) continue;
      if (typeof value === 'string') texts.add(value);
      values.push(value);
      isChanged = true;
    }
    return isChanged;
  }
}

/** Returns the entries whose values have at most `limit` characters of JSON. */
export function withinLength(data: Readonly<Record<string, unknown>>, limit: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== undefined && JSON.stringify(value).length <= limit),
  );
}
