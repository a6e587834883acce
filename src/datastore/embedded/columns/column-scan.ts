import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { Unavailable } from '../../../errors/errors.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import type { DocumentReader, DocumentRow } from '../documents/document-reader.ts';
import type { IndexCatalogue } from '../documents/index-catalogue.ts';
import { ColumnBatch } from './column-batch.ts';
import type { ColumnStore } from './column-store.ts';
import { type ColumnTable, isComplete } from './column-tables.ts';

/** Documents that are parsed at once. Small batches are collected early, large ones make the heap grow. */
const BATCH_ROWS = 512;
/** Rows of one transaction of a scan; searches of other collections may have to wait for it. */
const SCAN_ROWS = 8192;
/** Characters of documents that are parsed at once: their values take several times as much memory. */
export const MAX_BATCH_CHARACTERS = 8_000_000;

/** Builds the next part of an incomplete table, in order of keys. Returns the number of rows. */
export async function scanNext(
  store: ColumnStore,
  reader: DocumentReader,
  definition: CollectionDefinition<unknown>,
  table: ColumnTable,
): Promise<number> {
  const next = (after: number) => reader.between(table.index, after, table.until, BATCH_ROWS, MAX_BATCH_CHARACTERS);
  let rows = next(table.scanned);
  let batch = batchOf(definition, rows);
  await store.prepare(table, batch.columns);
  let count = 0;
  await store.change(store.seq, async (transaction) => {
    let { scanned } = table;
    for (let written = 0; written < SCAN_ROWS && store.fits(table, batch); written += BATCH_ROWS) {
      const last = isEnd(rows) ? table.until : (rows.at(-1)?.key ?? table.until);
      await transaction.removeRange(table, scanned, last);
      await transaction.append(table, batch);
      transaction.scanned(table, last);
      count += rows.length;
      if (last === table.until) return;
      scanned = last;
      await setImmediate();
      rows = next(scanned);
      batch = batchOf(definition, rows);
    }
  });
  return count;
}

export function batchOf(
  definition: CollectionDefinition<unknown>,
  rows: readonly (DocumentRow | undefined)[],
): ColumnBatch {
  const batch = new ColumnBatch();
  for (const row of rows) if (row) batch.add(definition, row);
  return batch;
}

/** Returns whether no more rows follow: there are fewer than requested, and not because they are large. */
function isEnd(rows: readonly DocumentRow[]): boolean {
  return rows.length < BATCH_ROWS && rows.reduce((sum, { json }) => sum + json.length, 0) < MAX_BATCH_CHARACTERS;
}

/** The number of missing documents above which a search does not wait. */
const MAX_WAIT = 20_000;
/** Milliseconds between two lines in the log. */
const REPORT_EVERY = 5_000;
/** Seconds. */
const RETRY_AFTER = 10;

export class ScanProgress {
  readonly #logger: DatastoreLogger;
  readonly #maxWait: number;
  #reportedAt = 0;

  constructor(folder: string, logger: DatastoreLogger) {
    this.#logger = logger;
    // Nothing runs in the background of a store in memory: a rejected search could never succeed.
    this.#maxWait = folder === 'memory' ? Number.POSITIVE_INFINITY : MAX_WAIT;
  }

  /** @throws Unavailable `columns_rebuilding` */
  rejectLongWait(table: ColumnTable | undefined): void {
    if (table === undefined || table.until - table.scanned <= this.#maxWait) return;
    const message = `The search columns are being rebuilt from the documents: ${percentOf(table)} % done. Retry later.`;
    throw new Unavailable('columns_rebuilding', message, { retryAfter: RETRY_AFTER });
  }

  /** Logs one line for a large table every few seconds, and one at its end. */
  report(table: ColumnTable, { indices }: IndexCatalogue): void {
    const isDue = isComplete(table) || Date.now() - this.#reportedAt >= REPORT_EVERY;
    if (!isDue || table.until <= this.#maxWait) return;
    this.#reportedAt = Date.now();
    const index = indices.find(({ number }) => number === table.index)?.name;
    const percent = percentOf(table);
    const message = `The search columns of ${index} are being rebuilt from the documents: ${percent} %.`;
    this.#logger.info({ index, percent }, message);
  }
}

function percentOf({ scanned, until }: ColumnTable): number {
  return Math.floor((100 * scanned) / until);
}
