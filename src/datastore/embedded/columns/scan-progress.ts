import { Unavailable } from '../../../errors/errors.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import type { IndexCatalogue } from '../indices/index-catalogue.ts';
import { type ColumnTable, isComplete } from './column-tables.ts';

/** More documents than this are not waited for in a search. */
const MAX_WAIT = 20_000;
/** Milliseconds between two lines in the log. */
const REPORT_EVERY = 5_000;
/** Seconds. */
const RETRY_AFTER = 10;

/** How far tables that are made anew have come. */
export class ScanProgress {
  readonly #logger: DatastoreLogger;
  readonly #longestWait: number;
  readonly #reported = new Map<number, number>();

  constructor({ folder, logger }: { readonly folder: string; readonly logger: DatastoreLogger }) {
    this.#logger = logger;
    // Nothing goes on in the background of a store in memory: a search that did not wait would wait for ever.
    this.#longestWait = folder === 'memory' ? Number.POSITIVE_INFINITY : MAX_WAIT;
  }

  /** @throws Unavailable `columns_rebuilding` */
  rejectLongWait(table: ColumnTable | undefined): void {
    if (table === undefined || table.until - table.scanned <= this.#longestWait) return;
    const message = `The search columns are being made from the documents: ${percentOf(table)} % done. Retry later.`;
    throw new Unavailable('columns_rebuilding', message, { retryAfter: RETRY_AFTER });
  }

  /** A line in the log every few seconds, and one at the end where there was one before. */
  report(table: ColumnTable, { indices }: IndexCatalogue): void {
    const reportedAt = this.#reported.get(table.index);
    const isDue = Date.now() - (reportedAt ?? 0) >= REPORT_EVERY && table.until > this.#longestWait;
    if (isComplete(table) ? reportedAt === undefined : !isDue) return;
    const index = indices.find(({ number }) => number === table.index)?.name;
    const percent = percentOf(table);
    this.#logger.info(
      { index, percent },
      `The search columns of ${index} are being made from the documents: ${percent} %.`,
    );
    if (isComplete(table)) this.#reported.delete(table.index);
    else this.#reported.set(table.index, Date.now());
  }
}

function percentOf({ scanned, until }: ColumnTable): number {
  return until === 0 ? 100 : Math.floor((100 * scanned) / until);
}
