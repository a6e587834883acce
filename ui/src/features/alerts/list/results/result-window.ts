import { KnownPlaces, PAGE_ROWS, type Place, type Stretch } from './known-places.ts';

export interface ResultPage<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export interface ResultSource<Row> {
  /** Reads a stretch. `offset` and `rows` together are at most 10,000. */
  read(stretch: Stretch, signal: AbortSignal): Promise<ResultPage<Row>>;
  /** Reads rows by their identifiers, in any order, whether they still belong to the result or not. */
  readById(ids: readonly string[], signal: AbortSignal): Promise<readonly Row[]>;
  idOf(row: Row): string;
  /** Returns the filter that leaves the rows behind one; undefined where the order cannot tell. */
  behind(row: Row): string | undefined;
  /** Returns what stands for a row that was deleted. */
  deletedRow(id: string): Row;
  /**
   * Finds the place of an index beyond the first 10,000 by counts on the sort field. Undefined where
   * the sort field cannot be counted.
   */
  locate(index: number, total: number, signal: AbortSignal): Promise<Place | undefined>;
}

/** Rows around those in sight that are read, too: a walk by keys does not wait at the end of a page. */
export const ROWS_AHEAD = 30;
/** Rows that stay in memory; the pages farthest from the visible ones are dropped first. */
export const MAX_ROWS_KEPT = 2_000;
/** Pages whose identifiers are read by one request. */
const PAGES_OF_IDS = 10;

/**
 * The part of a result that is on screen and around it, as it was when the search ran. A page is read
 * behind the nearest row before it that is known, so that records that came, left or changed in the
 * meantime neither move rows nor hide any; one that was dropped is read again by its identifiers.
 * Requests for a page that has left the screen are cancelled. One instance belongs to one search.
 */
export class ResultWindow<Row> {
  readonly #source: ResultSource<Row>;
  readonly #onChange: () => void;
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #ids = new Map<number, readonly string[]>();
  readonly #reading = new Map<number, AbortController>();
  readonly #failed = new Map<number, unknown>();
  readonly #unreachable = new Set<number>();
  readonly #places = new KnownPlaces();
  readonly #closing = new AbortController();
  #found: number | undefined;
  #total: number | undefined;
  #visible: readonly [first: number, last: number] = [0, 0];

  /** @param onChange called after each page and each failure */
  constructor(source: ResultSource<Row>, onChange: () => void) {
    this.#source = source;
    this.#onChange = onChange;
  }

  /** Number of rows of the whole result; undefined before the first answer. */
  get total(): number | undefined {
    return this.#total;
  }

  /** Number of documents that the first answer reported. */
  get found(): number | undefined {
    return this.#found;
  }

  /** Reason why a page in sight could not be read. */
  get problem(): unknown {
    const failed = this.#wantedPages().find((number) => this.#failed.has(number));
    return failed === undefined ? undefined : this.#failed.get(failed);
  }

  /** True: rows in sight lie where this order cannot be read. */
  get isUnreachable(): boolean {
    return this.#wantedPages().some((number) => this.#unreachable.has(number));
  }

  /** Number of rows in memory. */
  get kept(): number {
    return [...this.#pages.values()].reduce((sum, page) => sum + page.length, 0);
  }

  /** Returns a row; undefined until it was read. */
  rowAt(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Returns the identifier of a row, also of one that is no longer in memory. */
  idAt(index: number): string | undefined {
    return this.#ids.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Replaces the rows that the function changes, in place. A closed window stays as it is. */
  update(change: (row: Row) => Row): void {
    if (this.#closing.signal.aborted) return;
    for (const [number, page] of this.#pages) this.#pages.set(number, page.map(change));
    this.#onChange();
  }

  /** Returns the rows in memory with their indices. */
  *rows(): Generator<readonly [index: number, row: Row]> {
    for (const [number, page] of this.#pages) {
      for (const [offset, row] of page.entries()) yield [number * PAGE_ROWS + offset, row];
    }
  }

  /** Returns the rows in sight that are in memory. */
  visibleRows(): readonly Row[] {
    const [first, last] = this.#visible;
    return [...this.rows()].flatMap(([index, row]) => (index >= first && index <= last ? [row] : []));
  }

  /** Reads what is missing between two indices, cancels what is out of sight, and drops what is far. */
  show(first: number, last: number): void {
    const before = [this.problem, this.isUnreachable];
    this.#visible = [first, last];
    const wanted = this.#wantedPages();
    for (const [number, reading] of this.#reading) {
      if (wanted.includes(number)) continue;
      this.#reading.delete(number);
      reading.abort();
    }
    for (const number of [...this.#failed.keys()]) if (!wanted.includes(number)) this.#failed.delete(number);
    for (const number of wanted) {
      const isKnown = this.#pages.has(number) || this.#reading.has(number);
      if (!isKnown && !this.#failed.has(number) && !this.#unreachable.has(number)) void this.#read(number);
    }
    if (before[0] !== this.problem || before[1] !== this.isUnreachable) this.#onChange();
  }

  /** Reads the failed or dropped pages in sight again. */
  retry(): void {
    this.#failed.clear();
    this.show(...this.#visible);
  }

  /** Reads the identifiers of all rows between two indices, both included; fewer where none can be read. */
  async idsBetween(from: number, to: number): Promise<readonly string[]> {
    const last = Math.min(to, (this.#total ?? 0) - 1);
    for (let number = Math.floor(from / PAGE_ROWS); number * PAGE_ROWS <= last; number += 1) {
      if (this.#ids.has(number)) continue;
      const missing = Math.ceil((last + 1) / PAGE_ROWS) - number;
      const stretch = await this.#stretchAt(number * PAGE_ROWS, Math.min(missing, PAGES_OF_IDS) * PAGE_ROWS);
      if (stretch === undefined) continue;
      const { items } = await this.#source.read(stretch, this.#closing.signal);
      for (let start = 0; start < items.length; start += PAGE_ROWS) {
        this.#noteRows(number + start / PAGE_ROWS, items.slice(start, start + PAGE_ROWS));
      }
    }
    const ids: string[] = [];
    for (let index = from; index <= last; index += 1) {
      const id = this.idAt(index);
      if (id !== undefined) ids.push(id);
    }
    return ids;
  }

  /** Cancels everything; nothing is reported any more. */
  close(): void {
    this.#closing.abort();
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
      const rows = await this.#rowsOf(number, reading.signal);
      if (reading.signal.aborted) return;
      if (rows === undefined) this.#unreachable.add(number);
      else this.#pages.set(number, rows);
      this.#failed.delete(number);
      this.#dropFar();
    } catch (error) {
      if (reading.signal.aborted) return;
      this.#failed.set(number, error);
    } finally {
      if (this.#reading.get(number) === reading) this.#reading.delete(number);
    }
    if (!this.#closing.signal.aborted) this.#onChange();
  }

  /** Returns undefined where the page cannot be reached. */
  async #rowsOf(number: number, signal: AbortSignal): Promise<readonly Row[] | undefined> {
    const known = this.#ids.get(number);
    if (known !== undefined) {
      const found = await this.#source.readById(known, signal);
      const rows = new Map(found.map((row) => [this.#source.idOf(row), row]));
      return known.map((id) => rows.get(id) ?? this.#source.deletedRow(id));
    }
    const index = number * PAGE_ROWS;
    const stretch = await this.#stretchAt(index, PAGE_ROWS, signal);
    if (stretch === undefined) return undefined;
    const { items, total } = await this.#source.read(stretch, signal);
    if (signal.aborted) return items;
    this.#found ??= index - stretch.offset + total;
    this.#total ??= this.#found;
    // Others left the result in the meantime: it ends here.
    if (items.length < PAGE_ROWS) this.#total = Math.min(this.#total, index + items.length);
    this.#noteRows(number, items);
    return items;
  }

  /** Remembers which rows a page has, and the place behind them. */
  #noteRows(number: number, items: readonly Row[]): void {
    this.#ids.set(
      number,
      items.map((row) => this.#source.idOf(row)),
    );
    const last = items.at(-1);
    const filter = last === undefined || items.length < PAGE_ROWS ? undefined : this.#source.behind(last);
    if (filter !== undefined) this.#places.add((number + 1) * PAGE_ROWS, filter);
  }

  /** Returns undefined where the index cannot be reached. */
  async #stretchAt(index: number, rows: number, signal = this.#closing.signal): Promise<Stretch | undefined> {
    const near = this.#places.stretchAt(index, rows);
    if (near !== undefined) return near;
    const place = await this.#source.locate(index, this.#total ?? 0, signal);
    if (place === undefined) return undefined;
    this.#places.add(index - place.offset, place.filter);
    return this.#places.stretchAt(index, rows);
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
