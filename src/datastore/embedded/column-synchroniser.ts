import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import { Unavailable } from '../../errors/errors.ts';
import { ColumnBatch } from './column-batch.ts';
import { ColumnStore } from './column-store.ts';
import type { ColumnPosition, ColumnTable } from './column-tables.ts';
import type { DatastoreLogger } from './datastore-logger.ts';
import { canFollow, currentOpening, lastSequence } from './document-database.ts';
import type { DocumentReader, DocumentRow } from './document-reader.ts';
import { catalogueVersion, definitionFromStored, type IndexCatalogue, readCatalogue } from './index-catalogue.ts';
import type { ReadWriteLock } from './read-write-lock.ts';

/** Rows of one data chunk of the column database. */
const BATCH_ROWS = 2048;
/** Rows of one transaction of a scan; other searches wait for it. */
const SCAN_ROWS = 4 * BATCH_ROWS;
/** More documents than this are not waited for in a search. */
const LONGEST_WAIT = 20_000;
const PROGRESS_EVERY = 5_000;

/** Makes the columns follow the documents: by the log of changes, or by a scan where a table is new. */
export class ColumnSynchroniser {
  readonly #reader: DocumentReader;
  readonly #logger: DatastoreLogger;
  readonly #definitions = new Map<string, CollectionDefinition<unknown>>();
  #catalogue: IndexCatalogue;
  #running: Promise<void> | undefined;
  #lastProgress = 0;
  /** Rows written since this number was last reset by its owner, who decides on checkpoints. */
  rowsWritten = 0;
  store: ColumnStore;

  constructor(store: ColumnStore, reader: DocumentReader, logger: DatastoreLogger) {
    this.store = store;
    this.#reader = reader;
    this.#logger = logger;
    this.#catalogue = readCatalogue(reader.database);
  }

  /**
   * Opens the columns of a folder. What is damaged, of another history or older than the log reaches back is thrown away: the
   * synchronisation makes it anew.
   */
  static async open(
    folder: string,
    reader: DocumentReader,
    logger: DatastoreLogger,
    lock: ReadWriteLock,
  ): Promise<ColumnSynchroniser> {
    const store = await openStore(folder, reader, logger, lock);
    await store.begin({
      opening: currentOpening(reader.database),
      seq: store.position?.seq ?? lastSequence(reader.database),
    });
    return new ColumnSynchroniser(store, reader, logger);
  }

  definition(index: number): CollectionDefinition<unknown> {
    const fingerprint = this.store.tables.get(index)?.fingerprint ?? '';
    const known = this.#definitions.get(fingerprint);
    if (known) return known;
    const row = this.#reader.database.prepare('SELECT body FROM definitions WHERE fingerprint = ?').get(fingerprint);
    const definition = definitionFromStored(String(row?.body));
    this.#definitions.set(fingerprint, definition);
    return definition;
  }

  /**
   * Resolves when the columns of the indices hold everything that was written before the call.
   * @throws Unavailable `columns_rebuilding`, when that takes longer than a search should wait
   */
  async upToDate(indices: readonly number[], signal?: AbortSignal): Promise<void> {
    const target = lastSequence(this.#reader.database);
    while (!this.#reaches(target, indices)) {
      this.#refuseLongWait(indices);
      signal?.throwIfAborted();
      await this.advance();
    }
  }

  /** One pass: everything that was written when it begins. Calls during a pass share the next one. */
  async advance(): Promise<void> {
    while (this.#running) await this.#running;
    this.#running = this.#pass(this.#reader).finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /** Brings the columns exactly to what `reader` sees, then runs `work` before they move on. */
  async at<R>(reader: DocumentReader, indices: readonly number[], work: () => Promise<R>): Promise<R> {
    while (this.#running) await this.#running;
    let result: Promise<R> | undefined;
    this.#running = (async () => {
      while (!this.#reaches(lastSequence(reader.database), indices)) await this.#pass(reader);
      result = work();
      await result.catch(() => undefined);
    })().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    if (!result) throw new Error('unreachable');
    return result;
  }

  /** Nothing is left to be scanned. */
  get complete(): boolean {
    return this.store.tables.values().every((table) => table.complete);
  }

  /** Resolves when nothing is going on. */
  async settle(): Promise<void> {
    while (this.#running) await this.#running.catch(() => undefined);
  }

  #reaches(target: number, indices: readonly number[]): boolean {
    const behind = (this.store.position?.seq ?? 0) < target;
    return !behind && indices.every((index) => this.store.tables.get(index)?.complete === true);
  }

  #refuseLongWait(indices: readonly number[]): void {
    for (const index of indices) {
      const table = this.store.tables.get(index);
      if (table === undefined || table.complete) continue;
      const { last, left } = this.#remaining(table);
      if (left <= LONGEST_WAIT) continue;
      const percent = Math.floor((100 * table.scanned) / last);
      throw new Unavailable(
        'columns_rebuilding',
        `The search columns are being made anew: ${percent} % done. Retry later.`,
        {
          retryAfter: 10,
        },
      );
    }
  }

  #remaining(table: ColumnTable): { last: number; left: number } {
    const row = this.#reader.database.prepare(`SELECT max(key) AS last FROM documents_${table.index}`).get();
    const last = Number(row?.last ?? 0);
    return { last, left: last - table.scanned };
  }

  async #pass(reader: DocumentReader): Promise<void> {
    await this.#followCatalogue(reader);
    const target = lastSequence(reader.database);
    while ((this.store.position?.seq ?? 0) < target) await this.#applyLog(reader);
    for (const table of this.store.tables.values()) if (!table.complete) return this.#scan(reader, table);
  }

  async #followCatalogue(reader: DocumentReader): Promise<void> {
    if (catalogueVersion(reader.database) !== this.#catalogue.version) this.#catalogue = readCatalogue(reader.database);
    const present = new Map(this.#catalogue.indices.map((index) => [index.number, index]));
    for (const table of [...this.store.tables.values()]) {
      const index = present.get(table.index);
      if (index?.fingerprint !== table.fingerprint) await this.store.dropTable(table.index);
    }
    for (const { number, fingerprint } of this.#catalogue.indices) {
      if (!this.store.tables.has(number)) await this.store.createTable(number, fingerprint);
    }
  }

  async #applyLog(reader: DocumentReader): Promise<void> {
    const entries = reader.logAfter(this.store.position?.seq ?? 0, BATCH_ROWS);
    // The log begins later only when it was trimmed, which waits for this store.
    const seq = entries.at(-1)?.seq ?? lastSequence(reader.database);
    const changes: { table: ColumnTable; keys: readonly number[]; batch: ColumnBatch }[] = [];
    for (const [index, group] of Map.groupBy(entries, (entry) => entry.index)) {
      const table = this.store.tables.get(index);
      if (!table) continue;
      const keys = [...new Set(group.map(({ key }) => key))];
      const batch = this.#batch(
        table,
        keys.map((key) => reader.byKey(index, key)),
      );
      await this.store.prepare(table, batch);
      changes.push({ table, keys, batch });
    }
    await this.store.change(this.#positionAt(seq), async (transaction) => {
      for (const { table, keys, batch } of changes) {
        await transaction.removeKeys(table, keys);
        await transaction.append(table, batch);
        this.rowsWritten += keys.length;
      }
    });
  }

  /** A stretch of a table that is not complete, in order of keys. What the log has written there already is replaced. */
  async #scan(reader: DocumentReader, table: ColumnTable): Promise<void> {
    let rows = reader.afterKey(table.index, table.scanned, BATCH_ROWS);
    let batch = this.#batch(table, rows);
    await this.store.prepare(table, batch);
    await this.store.change(this.#positionAt(this.store.position?.seq ?? 0), async (transaction) => {
      let { scanned } = table;
      for (let written = 0; written < SCAN_ROWS && this.store.fits(table, batch); written += BATCH_ROWS) {
        const last = rows.at(-1)?.key ?? scanned;
        await transaction.removeRange(table, scanned, last);
        await transaction.append(table, batch);
        transaction.scanned(table, { scanned: last, complete: rows.length < BATCH_ROWS });
        this.rowsWritten += rows.length;
        if (rows.length < BATCH_ROWS) return;
        scanned = last;
        await setImmediate();
        rows = reader.afterKey(table.index, scanned, BATCH_ROWS);
        batch = this.#batch(table, rows);
      }
    });
    this.#logProgress(table);
  }

  #batch(table: ColumnTable, rows: readonly (DocumentRow | undefined)[]): ColumnBatch {
    const definition = this.definition(table.index);
    const batch = new ColumnBatch();
    for (const row of rows) if (row) batch.add(definition, row);
    return batch;
  }

  #logProgress(table: ColumnTable): void {
    const now = Date.now();
    if (now - this.#lastProgress < PROGRESS_EVERY) return;
    if (table.complete && table.scanned < LONGEST_WAIT) return;
    const name = this.#catalogue.indices.find((index) => index.number === table.index)?.name;
    const { last } = this.#remaining(table);
    const percent = table.complete ? 100 : Math.floor((100 * table.scanned) / Math.max(1, last));
    if (this.#lastProgress > 0 || !table.complete) {
      this.#logger.info({ index: name, percent }, `The search columns of ${name} are being made: ${percent} %.`);
    }
    this.#lastProgress = now;
  }

  #positionAt(seq: number): ColumnPosition {
    return { opening: this.store.position?.opening ?? currentOpening(this.#reader.database), seq };
  }
}

async function openStore(
  folder: string,
  reader: DocumentReader,
  logger: DatastoreLogger,
  lock: ReadWriteLock,
): Promise<ColumnStore> {
  let reason = 'They do not belong to the present documents.';
  let cause: unknown;
  try {
    const store = await ColumnStore.open(folder, lock);
    if (store.position === undefined || canFollow(reader.database, store.position)) return store;
    store.database.close();
  } catch (error) {
    reason = 'The file cannot be read.';
    cause = error;
  }
  logger.warn({ folder, err: cause }, `The search columns in ${folder} are made anew from the documents. ${reason}`);
  return ColumnStore.create(folder, lock);
}
