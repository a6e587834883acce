/** A stretch of the whole result: the offset inside of the documents that a further filter leaves. */
export interface Stretch {
  /** Lucene filter; undefined: the query alone. */
  readonly filter: string | undefined;
  readonly offset: number;
  readonly rows: number;
}

export interface ResultPage<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export interface ResultSource<Row> {
  /** Reads a stretch. `offset` and `rows` together are at most 10,000. */
  read(stretch: Stretch, signal: AbortSignal): Promise<ResultPage<Row>>;
  /**
   * Finds the place of an index beyond the first 10,000 by counts on the sort field. Undefined where
   * the sort field cannot be counted in steps.
   */
  locate?(
    index: number,
    signal: AbortSignal,
  ): Promise<{ readonly filter: string; readonly offset: number } | undefined>;
}

export const PAGE_ROWS = 100;
/** Rows around those in sight that are read, too: a walk by keys does not wait at the end of a page. */
export const ROWS_AHEAD = 30;
/** Documents that a search reaches by offset (contract of the alert service, section 5). */
export const MAX_OFFSET_ROWS = 10_000;
/** Rows that stay in memory; the pages farthest from the visible ones are dropped first. */
export const MAX_ROWS_KEPT = 2_000;

/**
 * The part of a result that is on screen and around it. Pages are read when they become visible; a
 * request for a page that has left the screen is cancelled. One instance belongs to one search.
 */
export class ResultWindow<Row> {
  readonly #source: ResultSource<Row>;
  readonly #onChange: () => void;
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #reading = new Map<number, AbortController>();
  #total: number | undefined;
  #problem: unknown;
  #visible: readonly [first: number, last: number] = [0, 0];

  /** @param onChange called after each page and each failure */
  constructor(source: ResultSource<Row>, onChange: () => void) {
    this.#source = source;
    this.#onChange = onChange;
  }

  /** Number of documents of the whole result; undefined before the first answer. */
  get total(): number | undefined {
    return this.#total;
  }

  /** Reason of the last failed page, until a page is read. */
  get problem(): unknown {
    return this.#problem;
  }

  get isReading(): boolean {
    return this.#reading.size > 0;
  }

  /** Number of rows in memory. */
  get kept(): number {
    return [...this.#pages.values()].reduce((sum, page) => sum + page.length, 0);
  }

  /** Returns a row; undefined until it was read. */
  rowAt(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Replaces the rows that the function changes, in place. */
  update(change: (row: Row) => Row): void {
    for (const [number, page] of this.#pages) this.#pages.set(number, page.map(change));
    this.#onChange();
  }

  /** Returns the rows in memory with their indices. */
  *rows(): Generator<readonly [index: number, row: Row]> {
    for (const [number, page] of this.#pages) {
      for (const [offset, row] of page.entries()) yield [number * PAGE_ROWS + offset, row];
    }
  }

  /** Reads what is missing between two indices, cancels what is out of sight, and drops what is far. */
  show(first: number, last: number): void {
    this.#visible = [first, last];
    const wanted = this.#wantedPages();
    for (const [number, reading] of this.#reading) {
      if (wanted.includes(number)) continue;
      this.#reading.delete(number);
      reading.abort();
    }
    for (const number of wanted) {
      if (!this.#pages.has(number) && !this.#reading.has(number)) void this.#read(number);
    }
  }

  /** Reads the failed or dropped pages in sight again. */
  retry(): void {
    this.#problem = undefined;
    this.show(...this.#visible);
  }

  /** Cancels everything. */
  close(): void {
    for (const reading of this.#reading.values()) reading.abort();
    this.#reading.clear();
  }

  #wantedPages(): number[] {
    const [first, last] = this.#visible;
    const ahead = this.#total === undefined ? 0 : ROWS_AHEAD;
    const begin = Math.max(0, first - ahead);
    const end = Math.min(last + ahead, Math.max(0, (this.#total ?? Number.POSITIVE_INFINITY) - 1));
    const wanted: number[] = [];
    for (let number = Math.floor(begin / PAGE_ROWS); number <= Math.floor(end / PAGE_ROWS); number += 1) {
      wanted.push(number);
    }
    return wanted;
  }

  async #read(number: number): Promise<void> {
    const reading = new AbortController();
    this.#reading.set(number, reading);
    try {
      const page = await this.#pageOf(number * PAGE_ROWS, reading.signal);
      if (reading.signal.aborted) return;
      // The total of a stretch with a filter counts the rest of the result alone.
      this.#total = page.isWhole ? page.total : (this.#total ?? page.total);
      this.#pages.set(number, page.items);
      this.#problem = undefined;
      this.#dropFar();
    } catch (error) {
      if (reading.signal.aborted) return;
      this.#problem = error;
    } finally {
      if (this.#reading.get(number) === reading) this.#reading.delete(number);
    }
    this.#onChange();
  }

  async #pageOf(index: number, signal: AbortSignal): Promise<ResultPage<Row> & { readonly isWhole: boolean }> {
    if (index + PAGE_ROWS <= MAX_OFFSET_ROWS) {
      const page = await this.#source.read({ filter: undefined, offset: index, rows: PAGE_ROWS }, signal);
      return { ...page, isWhole: true };
    }
    const place = await this.#source.locate?.(index, signal);
    if (place === undefined) return { items: [], total: 0, isWhole: false };
    const page = await this.#source.read({ ...place, rows: PAGE_ROWS }, signal);
    return { ...page, isWhole: false };
  }

  #dropFar(): void {
    const [first, last] = this.#visible;
    const middle = (first + last) / 2 / PAGE_ROWS;
    const byDistance = [...this.#pages.keys()].toSorted((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const number of byDistance) {
      if (this.kept <= MAX_ROWS_KEPT) return;
      this.#pages.delete(number);
    }
  }
}
