import { isTriadError, Unavailable } from '../../errors/errors.ts';
import type { FacetResult, HistogramBucket, SortClause, StatsResult } from '../search.ts';
import type { SqlValue } from './column-database.ts';
import { ColumnSynchroniser } from './column-synchroniser.ts';
import { type CursorPage, Cursors, type FoundRows } from './cursors.ts';
import type { DatastoreLogger } from './datastore-logger.ts';
import type { DocumentReader, DocumentRow } from './document-reader.ts';
import { type FacetSpec, facet } from './facet-query.ts';
import { type GroupSpec, group } from './group-query.ts';
import { histogram } from './histogram-query.ts';
import type { HistogramSpec } from './histogram-values.ts';
import { count, type FoundRow, type PageSpec, page } from './page-query.ts';
import { type ColumnSelection, QueryContext } from './query-context.ts';
import { ReadWriteLock } from './read-write-lock.ts';
import { type StatsSpec, stats } from './stats-query.ts';

/** A document that was found, with its text. */
export interface FoundDocument extends DocumentRow {
  readonly index: number;
  /** It was written after the search; whether the caller may see it has to be decided again. */
  readonly changed: boolean;
  readonly sortKeys?: readonly SqlValue[];
}

export interface FoundPage {
  readonly documents: readonly FoundDocument[];
  readonly total: number;
}

export interface FoundGroupsWithDocuments {
  readonly groups: readonly {
    readonly value: string | number | bigint | null;
    readonly total: number;
    readonly documents: readonly FoundDocument[];
  }[];
  readonly total: number;
}

export interface ColumnEngineOptions {
  readonly folder: string;
  readonly reader: DocumentReader;
  readonly logger: DatastoreLogger;
  /** Called with the number up to which the log of changes is not needed any more. */
  readonly onDurable: (seq: number) => void;
}

/** Writes are applied this long after they are announced, when no search asks for them before. Milliseconds. */
const LAZY_APPLY = 150;
const CHECKPOINT_ROWS = 20_000;
const IDLE_CHECKPOINT = 5_000;

/** Answers searches from the columns. Arguments and results are plain data: it may run in a thread of its own. */
export class ColumnEngine {
  readonly #options: ColumnEngineOptions;
  readonly #lock = new ReadWriteLock();
  readonly #cursors: Cursors;
  #opening: Promise<ColumnSynchroniser> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ColumnEngineOptions) {
    this.#options = options;
    this.#cursors = new Cursors(options.folder, options.reader);
  }

  /** Says that something was written. Cheap; the work is done later. */
  announce(): void {
    if (this.#timer !== undefined || this.#closed) return;
    // In memory there is nothing that could be lost, and tests should not pay for what they do not ask.
    if (this.#options.folder === 'memory') return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#applyInBackground();
    }, LAZY_APPLY);
    this.#timer.unref();
  }

  async page(selection: ColumnSelection, spec: PageSpec): Promise<FoundPage> {
    const found = await this.#read(selection, async (context) => ({
      rows: await page(context, spec),
      total: await count(context),
    }));
    return { documents: this.#documents(found?.rows ?? []), total: found?.total ?? 0 };
  }

  async count(selection: ColumnSelection): Promise<number> {
    return (await this.#read(selection, count)) ?? 0;
  }

  async facet(selection: ColumnSelection, spec: FacetSpec): Promise<FacetResult> {
    return (await this.#read(selection, (context) => facet(context, spec))) ?? { buckets: [], other: 0 };
  }

  async histogram(selection: ColumnSelection, spec: HistogramSpec): Promise<readonly HistogramBucket[]> {
    return (await this.#read(selection, (context) => histogram(context, spec))) ?? [];
  }

  async stats(selection: ColumnSelection, spec: StatsSpec): Promise<StatsResult> {
    const nothing = { count: 0, min: null, max: null, avg: null, sum: 0 };
    return (await this.#read(selection, (context) => stats(context, spec))) ?? nothing;
  }

  async group(selection: ColumnSelection, spec: GroupSpec): Promise<FoundGroupsWithDocuments> {
    const found = await this.#read(selection, (context) => group(context, spec));
    if (!found) return { groups: [], total: 0 };
    const groups = found.groups.map(({ value, total, rows }) => ({ value, total, documents: this.#documents(rows) }));
    return { groups, total: found.total };
  }

  /** Finds everything and keeps the state of this moment until the cursor is closed or not used for 5 minutes. */
  async openCursor(
    selection: ColumnSelection,
    sort: readonly SortClause[],
  ): Promise<{ cursor: string; total: number }> {
    const synchroniser = await this.#open();
    return this.#cursors.open(async (reader) => {
      const read = () =>
        this.#query(synchroniser, selection, (context) => page(context, { sort, offset: 0, rows: 2 ** 53 - 1 }));
      return this.#guard(selection, () => synchroniser.at(reader, selection.indices, read));
    });
  }

  async readCursor(cursor: string, rows: number): Promise<CursorPage> {
    return this.#cursors.read(cursor, rows);
  }

  /** As `readCursor`, without the documents. */
  async readFound(cursor: string, rows: number): Promise<FoundRows> {
    return this.#cursors.found(cursor, rows);
  }

  async closeCursor(cursor: string): Promise<void> {
    this.#cursors.close(cursor);
  }

  /** Documents up to now are in the file proper. */
  async checkpoint(): Promise<void> {
    const synchroniser = await this.#open();
    await this.#checkpoint(synchroniser);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#cursors.closeAll();
    if (!this.#opening) return;
    const synchroniser = await this.#opening.catch(() => undefined);
    if (!synchroniser) return;
    await synchroniser.settle();
    await this.#lock.exclusive(async () => {
      if (synchroniser.rowsWritten > 0) await synchroniser.store.database.checkpoint().catch(() => undefined);
      synchroniser.store.database.close();
    });
  }

  async #read<R>(selection: ColumnSelection, work: (context: QueryContext) => Promise<R>): Promise<R | undefined> {
    if (selection.indices.length === 0) return undefined;
    return this.#guard(selection, async (signal) => {
      const synchroniser = await this.#open();
      await synchroniser.upToDate(selection.indices, signal);
      return this.#query(synchroniser, selection, work, signal);
    });
  }

  async #guard<R>(selection: ColumnSelection, work: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const signal = AbortSignal.timeout(selection.timeout);
    try {
      return await work(signal);
    } catch (error) {
      if (isTriadError(error)) throw error;
      if (signal.aborted) {
        const seconds = selection.timeout / 1000;
        throw new Unavailable(
          'search_timeout',
          `The search was given up after ${seconds} s. Narrow it, or allow more time.`,
          { cause: error },
        );
      }
      this.#options.logger.error({ err: error }, 'A search failed in the column store.');
      throw new Unavailable('datastore_unavailable', 'The search failed in the column store; the log has the cause.', {
        cause: error,
      });
    }
  }

  async #query<R>(
    synchroniser: ColumnSynchroniser,
    selection: ColumnSelection,
    work: (context: QueryContext) => Promise<R>,
    signal: AbortSignal = AbortSignal.timeout(selection.timeout),
  ): Promise<R> {
    return this.#lock.shared(() =>
      synchroniser.store.database.snapshot(async (connection) => {
        const tables = selection.indices
          .map((index) => synchroniser.store.tables.get(index))
          .filter((table) => table !== undefined);
        const definition = synchroniser.definition(selection.indices.at(-1) ?? 0);
        const context = new QueryContext(connection, selection, definition, tables, signal);
        await context.resolve();
        return work(context);
      }),
    );
  }

  #documents(rows: readonly FoundRow[]): readonly FoundDocument[] {
    const documents: FoundDocument[] = [];
    for (const { index, key, seq, sortKeys } of rows) {
      const row = this.#options.reader.byKey(index, key);
      if (row) documents.push({ ...row, index, changed: row.seq !== seq, ...(sortKeys ? { sortKeys } : {}) });
    }
    return documents;
  }

  #open(): Promise<ColumnSynchroniser> {
    const { folder, reader, logger } = this.#options;
    this.#opening ??= ColumnSynchroniser.open(folder, reader, logger, this.#lock);
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #applyInBackground(): Promise<void> {
    try {
      const synchroniser = await this.#open();
      do {
        await synchroniser.advance();
        if (synchroniser.rowsWritten >= CHECKPOINT_ROWS) await this.#checkpoint(synchroniser);
      } while (!synchroniser.complete && !this.#closed);
      if (synchroniser.rowsWritten > 0) this.#checkpointWhenIdle(synchroniser, synchroniser.rowsWritten);
    } catch (error) {
      if (!this.#closed)
        this.#options.logger.error(
          { err: error },
          'The search columns could not follow the documents; searches will try again.',
        );
    }
  }

  #checkpointWhenIdle(synchroniser: ColumnSynchroniser, rows: number): void {
    setTimeout(() => {
      if (this.#closed || synchroniser.rowsWritten !== rows) return;
      this.#checkpoint(synchroniser).catch((error) =>
        this.#options.logger.error({ err: error }, 'The search columns could not be written to their file.'),
      );
    }, IDLE_CHECKPOINT).unref();
  }

  async #checkpoint(synchroniser: ColumnSynchroniser): Promise<void> {
    const seq = synchroniser.store.position?.seq;
    await synchroniser.store.database.checkpoint();
    synchroniser.rowsWritten = 0;
    if (seq !== undefined) this.#options.onDurable(seq);
  }
}
