import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A row of golden data that the program answers otherwise, on purpose.
 * Every one is explained in docs/decisions/0003.
 */
export interface Difference {
  /** File of the folder, `queries.ndjson`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The row's query, for the reader. */
  readonly q?: string;
  readonly reason: string;
}

/**
 * The differences listed in `differences.json` of a folder of golden data; none when there is no such
 * file.
 */
export class Differences {
  readonly all: readonly Difference[];
  readonly #reasons: ReadonlyMap<string, string>;

  constructor(all: readonly Difference[]) {
    this.all = all;
    this.#reasons = new Map(all.map(({ file, line, reason }) => [`${file}:${line}`, reason]));
  }

  /** `server`: those of the server's own reading of queries, in `differences-<server>.json`. */
  static of(folder: string, server?: string): Differences {
    const path = join(folder, server === undefined ? 'differences.json' : `differences-${server}.json`);
    return new Differences(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []);
  }

  /**
   * Why the row differs; undefined: it has to be answered as recorded.
   * A row that differs no more has to be taken off the list.
   */
  reason(file: string, line: number): string | undefined {
    return this.#reasons.get(`${file}:${line}`);
  }
}
