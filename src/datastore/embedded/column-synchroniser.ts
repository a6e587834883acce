import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import { ColumnBatch } from './column-batch.ts';
import type { ColumnFiles } from './column-files.ts';
import type { ColumnStore } from './column-store.ts';
import type { ColumnPosition, ColumnTable } from './column-tables.ts';
import { lastSequence } from './document-database.ts';
import type { DocumentReader, DocumentRow } from './document-reader.ts';
import { catalogueVersion, definitionFromStored, type IndexCatalogue, readCatalogue } from './index-catalogue.ts';
import { ScanProgress } from './scan-progress.ts';

/** Rows of one data chunk of the column database. */
const BATCH_ROWS = 2048;
/** Rows of one transaction of a scan; other searches wait for it. */
const SCAN_ROWS = 4 * BATCH_ROWS;
const NOTHING_FOLLOWED: IndexCatalogue = { version: -1, indices: [] };

/** Makes the columns follow the documents: by the log of changes, or by a scan where a table is new. */
export class ColumnSynchroniser {
  readonly #files: ColumnFiles;
  readonly #reader: DocumentReader;
  readonly #definitions = new Map<string, CollectionDefinition<unknown>>();
  readonly #progress: ScanProgress;
  #store: ColumnStore;
  #catalogue: IndexCatalogue;
  #running: Promise<unknown> | undefined;
  /** The database gave up; nothing works until it is opened again. */
  #isBroken = false;
  #rowsWritten = 0;
  #rowsSinceOpened = 0;

  private constructor(files: ColumnFiles, store: ColumnStore) {
    this.#files = files;
    this.#store = store;
    this.#reader = files.reader;
    this.#progress = new ScanProgress(files.reader, files.logger);
    this.#catalogue = NOTHING_FOLLOWED;
  }

  /** Opens the columns of a folder, or begins new ones. */
  static async open(files: ColumnFiles): Promise<ColumnSynchroniser> {
    return new ColumnSynchroniser(files, await files.open());
  }

  /** Changes only while nobody shares the lock. */
  get store(): ColumnStore {
    return this.#store;
  }

  /** Rows that were written since the last checkpoint. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  get rowsSinceOpened(): number {
    return this.#rowsSinceOpened;
  }

  /** Nothing is left to be scanned. */
  get isComplete(): boolean {
    return this.#store.tables.values().every((table) => table.complete);
  }

  definition(index: number): CollectionDefinition<unknown> {
    const fingerprint = this.#store.tables.get(index)?.fingerprint ?? '';
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
  async upToDate(indices: readonly number[], signal: AbortSignal): Promise<void> {
    const target = lastSequence(this.#reader.database);
    const version = catalogueVersion(this.#reader.database);
    while (!this.#reaches(target, version, indices)) {
      signal.throwIfAborted();
      for (const index of indices) this.#progress.refuseLongWait(this.#store.tables.get(index));
      // Somebody else's pass may be enough.
      if (this.#running) await this.#running.catch(() => undefined);
      else await this.advance();
    }
  }

  /** One pass over what was written before it begins. */
  advance(): Promise<void> {
    return this.#alone(() => this.#pass(this.#reader));
  }

  /** Pins a state of the documents, brings the columns exactly there, and runs `work` before they move on. */
  at<R>(pin: () => DocumentReader, indices: readonly number[], work: () => Promise<R>): Promise<R> {
    return this.#alone(async () => {
      const reader = pin();
      const target = lastSequence(reader.database);
      const version = catalogueVersion(reader.database);
      while (!this.#reaches(target, version, indices)) await this.#pass(reader);
      return work();
    });
  }

  /** Writes what is applied into the file proper. The sequence number that lies there for good. */
  checkpoint(): Promise<number | undefined> {
    return this.#alone(async () => {
      const seq = this.#store.position?.seq;
      await this.#store.database.checkpoint();
      this.#rowsWritten = 0;
      return seq;
    });
  }

  /** Opens the files anew, which gives back the memory that loading took. Waits for the searches that run. */
  reopen(): Promise<void> {
    return this.#alone(() => this.#reopen());
  }

  async close(): Promise<void> {
    await this.#alone(() =>
      this.#files.lock.exclusive(async () => {
        if (this.#rowsWritten > 0 && !this.#isBroken) await this.#store.database.checkpoint().catch(() => undefined);
        this.#store.database.close();
      }),
    );
  }

  /** When the error says that the database gave up, it is opened again before it is used. */
  markBrokenBy(error: unknown): void {
    if (isFatal(error)) this.#isBroken = true;
  }

  /** One at a time changes the columns. */
  async #alone<R>(work: () => Promise<R>): Promise<R> {
    while (this.#running) await this.#running.catch(() => undefined);
    const running = this.#whole(work).finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #whole<R>(work: () => Promise<R>): Promise<R> {
    if (this.#isBroken) await this.#reopen();
    try {
      return await work();
    } catch (error) {
      this.markBrokenBy(error);
      throw error;
    }
  }

  #reopen(): Promise<void> {
    return this.#files.lock.exclusive(async () => {
      this.#store.database.close();
      this.#isBroken = true;
      this.#store = await this.#files.open();
      this.#isBroken = false;
      this.#catalogue = NOTHING_FOLLOWED;
      this.#rowsWritten = 0;
      this.#rowsSinceOpened = 0;
    });
  }

  #reaches(target: number, version: number, indices: readonly number[]): boolean {
    if (this.#isBroken || (this.#store.position?.seq ?? 0) < target || this.#catalogue.version < version) return false;
    return indices.every((index) => this.#store.tables.get(index)?.complete === true);
  }

  async #pass(reader: DocumentReader): Promise<void> {
    await this.#followCatalogue(reader);
    const target = lastSequence(reader.database);
    while ((this.#store.position?.seq ?? 0) < target) await this.#applyLog(reader);
    for (const table of this.#store.tables.values()) if (!table.complete) return this.#scan(reader, table);
  }

  async #followCatalogue(reader: DocumentReader): Promise<void> {
    if (catalogueVersion(reader.database) === this.#catalogue.version) return;
    const catalogue = readCatalogue(reader.database);
    const present = new Map(catalogue.indices.map((index) => [index.number, index]));
    for (const table of [...this.#store.tables.values()]) {
      const index = present.get(table.index);
      if (index?.fingerprint !== table.fingerprint) await this.#store.dropTable(table.index);
    }
    for (const { number, fingerprint } of catalogue.indices) {
      if (!this.#store.tables.has(number)) await this.#store.createTable(number, fingerprint);
    }
    this.#catalogue = catalogue;
  }

  async #applyLog(reader: DocumentReader): Promise<void> {
    const entries = reader.logAfter(this.#store.position?.seq ?? 0, BATCH_ROWS);
    // The log begins later only when it was trimmed, which waits for this store.
    const seq = entries.at(-1)?.seq ?? lastSequence(reader.database);
    const changes: { table: ColumnTable; keys: readonly number[]; batch: ColumnBatch }[] = [];
    for (const [index, group] of Map.groupBy(entries, (entry) => entry.index)) {
      const table = this.#store.tables.get(index);
      if (!table) continue;
      const keys = [...new Set(group.map(({ key }) => key))];
      const batch = this.#batch(
        table,
        keys.map((key) => reader.byKey(index, key)),
      );
      await this.#store.prepare(table, batch);
      changes.push({ table, keys, batch });
    }
    await this.#store.change(this.#positionAt(seq), async (transaction) => {
      for (const { table, keys, batch } of changes) {
        await transaction.removeKeys(table, keys);
        await transaction.append(table, batch);
        this.#count(keys.length);
      }
    });
  }

  /** A stretch of a table that is not complete, in order of keys. What the log has written there already is replaced. */
  async #scan(reader: DocumentReader, table: ColumnTable): Promise<void> {
    let rows = reader.afterKey(table.index, table.scanned, BATCH_ROWS);
    let batch = this.#batch(table, rows);
    await this.#store.prepare(table, batch);
    await this.#store.change(this.#positionAt(this.#store.position?.seq ?? 0), async (transaction) => {
      let { scanned } = table;
      for (let written = 0; written < SCAN_ROWS && this.#store.fits(table, batch); written += BATCH_ROWS) {
        const last = rows.at(-1)?.key ?? scanned;
        await transaction.removeRange(table, scanned, last);
        await transaction.append(table, batch);
        transaction.scanned(table, { scanned: last, complete: rows.length < BATCH_ROWS });
        this.#count(rows.length);
        if (rows.length < BATCH_ROWS) return;
        scanned = last;
        await setImmediate();
        rows = reader.afterKey(table.index, scanned, BATCH_ROWS);
        batch = this.#batch(table, rows);
      }
    });
    this.#progress.report(table, this.#catalogue);
  }

  #batch(table: ColumnTable, rows: readonly (DocumentRow | undefined)[]): ColumnBatch {
    const definition = this.definition(table.index);
    const batch = new ColumnBatch();
    for (const row of rows) if (row) batch.add(definition, row);
    return batch;
  }

  #count(rows: number): void {
    this.#rowsWritten += rows;
    this.#rowsSinceOpened += rows;
  }

  #positionAt(seq: number): ColumnPosition {
    return { opening: this.#files.opening, seq };
  }
}

/** The database refuses everything after such an error, or a defect of it has been met. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && /FATAL|INTERNAL|invalidated|Connection Error/i.test(error.message);
}
