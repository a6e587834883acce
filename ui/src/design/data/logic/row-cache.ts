export interface RowCacheOptions {
  /** Rows of one request; default 100. */
  readonly pageSize?: number;
  /** Rows kept in memory; default 2,000. */
  readonly maxRows?: number;
}

/** A page that has to be asked for. */
export interface MissingPage {
  readonly page: number;
  readonly offset: number;
  readonly rows: number;
}

/**
 * Keeps pages of rows of a long result, up to 2,000 rows: those furthest from what is in sight go
 * first. It changes in place; `version` tells readers that it did.
 */
export class RowCache<Row> {
  readonly pageSize: number;
  readonly #maxPages: number;
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #asked = new Set<number>();
  #version = 0;

  constructor({ pageSize = 100, maxRows = 2_000 }: RowCacheOptions = {}) {
    this.pageSize = pageSize;
    this.#maxPages = Math.max(2, Math.floor(maxRows / pageSize));
  }

  get version(): number {
    return this.#version;
  }

  /** The number of rows in memory. */
  get size(): number {
    return [...this.#pages.values()].reduce((sum, rows) => sum + rows.length, 0);
  }

  rowAt(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / this.pageSize))?.[index % this.pageSize];
  }

  /** Returns the pages in sight that are neither here nor asked for, and counts them as asked for. */
  missing(first: number, last: number): MissingPage[] {
    const missing: MissingPage[] = [];
    for (let page = Math.floor(first / this.pageSize); page <= Math.floor(last / this.pageSize); page += 1) {
      if (this.#pages.has(page) || this.#asked.has(page)) continue;
      this.#asked.add(page);
      missing.push({ page, offset: page * this.pageSize, rows: this.pageSize });
    }
    return missing;
  }

  put(page: number, rows: readonly Row[]): void {
    this.#asked.delete(page);
    this.#pages.set(page, rows);
    this.#version += 1;
    if (this.#pages.size <= this.#maxPages) return;
    const furthest = [...this.#pages.keys()].reduce((left, right) =>
      Math.abs(left - page) >= Math.abs(right - page) ? left : right,
    );
    this.#pages.delete(furthest);
  }

  /** Makes a page that could not be loaded missing again. */
  failed(page: number): void {
    this.#asked.delete(page);
  }

  /** Replaces one row where it is in memory, for example after an event. Returns whether it was. */
  replace(isIt: (row: Row) => boolean, changed: (row: Row) => Row): boolean {
    for (const [page, rows] of this.#pages) {
      const place = rows.findIndex(isIt);
      const row = rows[place];
      if (row === undefined) continue;
      this.#pages.set(page, rows.with(place, changed(row)));
      this.#version += 1;
      return true;
    }
    return false;
  }

  clear(): void {
    this.#pages.clear();
    this.#asked.clear();
    this.#version += 1;
  }
}
