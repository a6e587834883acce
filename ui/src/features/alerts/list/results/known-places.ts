/** A stretch of a result: the offset inside of the documents that a further filter leaves. */
export interface Stretch {
  /** Lucene filter; undefined: the query alone. */
  readonly filter: string | undefined;
  readonly offset: number;
  readonly rows: number;
}

/** The place of a row: the row is this many rows behind the first one that the filter leaves. */
export type Place = Pick<Stretch, 'filter' | 'offset'>;

export const PAGE_ROWS = 100;
/** Documents that a search reaches by offset (contract of the alert service, section 5). */
export const MAX_OFFSET_ROWS = 10_000;

interface Start {
  readonly index: number;
  readonly filter: string | undefined;
}

/** The rows of a result whose place is known, from which the rows behind them are read. */
export class KnownPlaces {
  #starts: readonly Start[] = [{ index: 0, filter: undefined }];

  /** Notes that a filter leaves the row of an index and those behind it. */
  add(index: number, filter: string | undefined): void {
    const others = this.#starts.filter((start) => start.index !== index);
    this.#starts = [...others, { index, filter }].toSorted((left, right) => left.index - right.index);
  }

  /**
   * Returns the stretch that begins at an index, counted from the nearest known place before it.
   * Undefined where that is too far away; fewer rows than asked for, at least a page, near that limit.
   */
  stretchAt(index: number, rows: number): Stretch | undefined {
    const start = this.#starts.findLast((one) => one.index <= index);
    const offset = index - (start?.index ?? 0);
    if (start === undefined || offset + PAGE_ROWS > MAX_OFFSET_ROWS) return undefined;
    return { filter: start.filter, offset, rows: Math.min(rows, MAX_OFFSET_ROWS - offset) };
  }
}
