import { Unavailable } from '../../errors/errors.ts';
import type { ColumnTable } from './column-tables.ts';
import type { DatastoreLogger } from './datastore-logger.ts';
import type { DocumentReader } from './document-reader.ts';
import type { IndexCatalogue } from './index-catalogue.ts';

/** More documents than this are not waited for in a search. */
const LONGEST_WAIT = 20_000;
/** Milliseconds between two lines in the log. */
const REPORT_EVERY = 5_000;
/** Seconds. */
const RETRY_AFTER = 10;

/** How far tables that are made anew have come. */
export class ScanProgress {
  readonly #reader: DocumentReader;
  readonly #logger: DatastoreLogger;
  readonly #reported = new Map<number, number>();

  constructor(reader: DocumentReader, logger: DatastoreLogger) {
    this.#reader = reader;
    this.#logger = logger;
  }

  /** @throws Unavailable `columns_rebuilding` */
  refuseLongWait(table: ColumnTable | undefined): void {
    if (table === undefined || table.complete) return;
    const last = this.#reader.lastKey(table.index);
    if (last - table.scanned <= LONGEST_WAIT) return;
    const message = `The search columns are being made from the documents: ${percentOf(table, last)} % done. Retry later.`;
    throw new Unavailable('columns_rebuilding', message, { retryAfter: RETRY_AFTER });
  }

  /** A line in the log every few seconds, and one at the end where there was one before. */
  report(table: ColumnTable, { indices }: IndexCatalogue): void {
    const last = this.#reader.lastKey(table.index);
    const reportedAt = this.#reported.get(table.index);
    const isDue = Date.now() - (reportedAt ?? 0) >= REPORT_EVERY && last > LONGEST_WAIT;
    if (table.complete ? reportedAt === undefined : !isDue) return;
    const index = indices.find(({ number }) => number === table.index)?.name;
    const percent = percentOf(table, last);
    this.#logger.info(
      { index, percent },
      `The search columns of ${index} are being made from the documents: ${percent} %.`,
    );
    if (table.complete) this.#reported.delete(table.index);
    else this.#reported.set(table.index, Date.now());
  }
}

function percentOf(table: ColumnTable, last: number): number {
  return table.complete ? 100 : Math.floor((100 * table.scanned) / Math.max(1, last));
}
