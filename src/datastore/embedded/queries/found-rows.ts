import type { SqlValue } from '../columns/column-database.ts';

/** A document that was found, as the columns know it. */
export interface FoundRow {
  readonly index: number;
  readonly key: number;
  readonly seq: number;
  /** What it was sorted by, one for each clause, when that was asked for. */
  readonly sortKeys?: readonly SqlValue[];
}

/** Many documents that were found, as numbers side by side. */
export class FoundRows {
  readonly #chunks: { readonly first: number; readonly numbers: Float64Array }[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Columns of index, key and sequence number. */
  append([indices = [], keys = [], sequences = []]: readonly (readonly SqlValue[])[]): void {
    const numbers = new Float64Array(keys.length * 3);
    for (let at = 0; at < keys.length; at += 1) {
      numbers[3 * at] = Number(indices[at]);
      numbers[3 * at + 1] = Number(keys[at]);
      numbers[3 * at + 2] = Number(sequences[at]);
    }
    this.#chunks.push({ first: this.#length, numbers });
    this.#length += keys.length;
  }

  slice(from: number, to: number): readonly FoundRow[] {
    const rows: FoundRow[] = [];
    for (const { first, numbers } of this.#chunks) {
      const end = Math.min(to - first, numbers.length / 3);
      for (let at = Math.max(from - first, 0); at < end; at += 1) {
        const [index = 0, key = 0, seq = 0] = numbers.subarray(3 * at, 3 * at + 3);
        rows.push({ index, key, seq });
      }
    }
    return rows;
  }
}
