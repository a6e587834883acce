import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { lastSequence, NO_KEY } from '../documents/document-database.ts';
import type { DocumentReader, LogEntry, LoggedCopy } from '../documents/document-reader.ts';
import { catalogueVersion, type IndexCatalogue, isFinished, readCatalogue } from '../indices/index-catalogue.ts';
import type { ColumnBatch } from './column-batch.ts';
import type { ColumnFiles } from './column-files.ts';
import { batchOf, MAX_BATCH_CHARACTERS, ScanProgress, scanNext } from './column-scan.ts';
import type { ColumnStore } from './column-store.ts';
import { type ColumnPosition, type ColumnTable, isComplete } from './column-tables.ts';
import { StoredDefinitions } from './stored-definitions.ts';

/** Changes of one transaction. */
const LOG_ROWS = 1024;
/** Changes of one pass; between two passes what is applied can be written into the file, and memory given back. */
const PASS_ROWS = 16 * LOG_ROWS;
/** The database refuses everything after such an error. */
const GIVEN_UP = /FATAL|INTERNAL|invalidated|Connection Error/i;
/** A block of the file is not what was written. */
const DAMAGE = /corrupt|checksum|serializ/i;
const NOTHING_FOLLOWED: IndexCatalogue = { version: -1, indices: [] };

/** Makes the columns follow the documents: by the log of changes, or by a scan where a table is new. */
export class ColumnSynchroniser {
  readonly #files: ColumnFiles;
  readonly #reader: DocumentReader;
  readonly #definitions: StoredDefinitions;
  readonly #progress: ScanProgress;
  #store: ColumnStore;
  #catalogue: IndexCatalogue;
  #running: Promise<unknown> | undefined;
  /** False: closed while nobody needs it, or given up by itself; it is opened before it is used again. */
  #isOpen = true;
  #isDamaged = false;
  #rowsWritten = 0;
  #rowsSinceOpened = 0;

  private constructor(files: ColumnFiles, store: ColumnStore) {
    this.#files = files;
    this.#store = store;
    this.#reader = files.reader;
    this.#definitions = new StoredDefinitions(files.reader.database);
    this.#progress = new ScanProgress(files);
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

  /** Whether statements can run. Changes only while nobody shares the lock. */
  get isOpen(): boolean {
    return this.#isOpen;
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
    return this.#store.tables.values().every(isComplete);
  }

  /** What the columns of the index are made by. */
  definition(index: number): CollectionDefinition<unknown> {
    return this.#definitions.get(this.#store.tables.get(index)?.fingerprint ?? '');
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
      for (const index of indices) this.#progress.rejectLongWait(this.#store.tables.get(index));
      // Somebody else's pass may be enough.
      if (this.#running) await this.#running.catch(() => undefined);
      else await this.advance();
    }
  }

  /** One pass over what was written before it begins; whether that was all of it. */
  advance(): Promise<boolean> {
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

  /** Closes the files until somebody needs them, which gives back the memory that searching took. */
  async release(): Promise<void> {
    if (this.#isOpen) await this.close();
  }

  async close(): Promise<void> {
    await this.#inTurn(() =>
      this.#files.lock.exclusive(async () => {
        if (this.#rowsWritten > 0 && this.#isOpen) await this.#store.database.checkpoint().catch(() => undefined);
        this.#rowsWritten = 0;
        this.#isOpen = false;
        await this.#store.database.close();
      }),
    );
  }

  /** When the error says that the database gave up, it is opened again before it is used; when its file is damaged, made anew. */
  markBrokenBy(error: unknown): void {
    const message = error instanceof Error ? error.message : '';
    if (DAMAGE.test(message)) this.#isDamaged = true;
    if (this.#isDamaged || GIVEN_UP.test(message)) this.#isOpen = false;
  }

  /** As `#inTurn`, with the files open. */
  #alone<R>(work: () => Promise<R>): Promise<R> {
    return this.#inTurn(async () => {
      if (!this.#isOpen) await this.#reopen();
      try {
        return await work();
      } catch (error) {
        this.markBrokenBy(error);
        throw error;
      }
    });
  }

  /** One at a time changes the columns. */
  async #inTurn<R>(work: () => Promise<R>): Promise<R> {
    while (this.#running) await this.#running.catch(() => undefined);
    const running = work().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  #reopen(): Promise<void> {
    return this.#files.lock.exclusive(async () => {
      this.#isOpen = false;
      await this.#store.database.close();
      this.#store = await this.#files.open(this.#isDamaged ? 'anew' : 'as it is');
      this.#isDamaged = false;
      this.#isOpen = true;
      this.#catalogue = NOTHING_FOLLOWED;
      this.#rowsWritten = 0;
      this.#rowsSinceOpened = 0;
    });
  }

  #reaches(target: number, version: number, indices: readonly number[]): boolean {
    if (!this.#isOpen || (this.#store.position?.seq ?? 0) < target || this.#catalogue.version < version) return false;
    return indices.every((index) => {
      const table = this.#store.tables.get(index);
      return table !== undefined && isComplete(table);
    });
  }

  async #pass(reader: DocumentReader): Promise<boolean> {
    // Before the catalogue is read: what is written under a definition that comes later must not be indexed by the one before.
    const target = lastSequence(reader.database);
    await this.#followCatalogue(reader);
    const isBehind = () => (this.#store.position?.seq ?? 0) < target;
    for (let rows = 0; rows < PASS_ROWS && isBehind(); rows += LOG_ROWS) await this.#applyLog(reader, target);
    if (isBehind()) return false;
    await this.#scanNext(reader);
    return true;
  }

  async #scanNext(reader: DocumentReader): Promise<void> {
    // The smallest first: nobody can sign in before the users are found, and a million alerts take a minute.
    const [smallest] = [...this.#store.tables.values()]
      .filter((table) => !isComplete(table))
      .sort((a, b) => a.until - a.scanned - (b.until - b.scanned));
    if (smallest === undefined) return;
    const position = this.#positionAt(this.#store.position?.seq ?? 0);
    const definition = this.definition(smallest.index);
    this.#count(await scanNext({ store: this.#store, reader, definition, position }, smallest));
    this.#progress.report(smallest, this.#catalogue);
  }

  async #followCatalogue(reader: DocumentReader): Promise<void> {
    if (catalogueVersion(reader.database) === this.#catalogue.version) return;
    const catalogue = readCatalogue(reader.database);
    const present = new Map(catalogue.indices.filter(isFinished).map((index) => [index.number, index]));
    for (const table of [...this.#store.tables.values()]) {
      const fingerprint = present.get(table.index)?.fingerprint;
      if (fingerprint === table.fingerprint) continue;
      if (fingerprint !== undefined && this.#definitions.extends(table.fingerprint, fingerprint)) {
        await this.#store.adopt(table, fingerprint);
      } else {
        await this.#store.dropTable(table.index);
      }
    }
    for (const { number, fingerprint } of present.values()) {
      if (this.#store.tables.has(number)) continue;
      await this.#store.createTable(number, fingerprint, reader.lastKey(number));
    }
    this.#catalogue = catalogue;
  }

  /** Applies the next changes up to the number `target`. */
  async #applyLog(reader: DocumentReader, target: number): Promise<void> {
    const entries = this.#fitting(reader, reader.log(this.#store.position?.seq ?? 0, target, LOG_ROWS));
    // The log begins later only when it was trimmed, which waits for this store.
    const seq = entries.at(-1)?.seq ?? target;
    const changes: { table: ColumnTable; keys: readonly number[]; batch: ColumnBatch }[] = [];
    const single = entries.filter(({ key }) => key !== NO_KEY);
    for (const [index, group] of Map.groupBy(single, (entry) => entry.index)) {
      const table = this.#store.tables.get(index);
      if (!table) continue;
      const keys = [...new Set(group.map(({ key }) => key))];
      const batch = batchOf(
        this.definition(index),
        keys.map((key) => reader.byKey(index, key)),
      );
      await this.#store.prepare(table, batch.columns);
      changes.push({ table, keys, batch });
    }
    const copies: readonly LoggedCopy[] = reader.copies(this.#store.position?.seq ?? 0, seq);
    await this.#store.change(this.#positionAt(seq), async (transaction) => {
      for (const { table, keys, batch } of changes) {
        await transaction.removeKeys(table, keys);
        await transaction.append(table, batch);
        this.#count(keys.length);
      }
      for (const copy of copies) {
        const table = this.#store.tables.get(copy.index);
        if (table) transaction.copied(table, copy);
      }
    });
  }

  /** The first changes whose documents can be taken apart at once. */
  #fitting(reader: DocumentReader, entries: readonly LogEntry[]): readonly LogEntry[] {
    let bytes = 0;
    const end = entries.findIndex(({ index, key }, at) => {
      // The documents of an index without a table may be deleted.
      if (key !== NO_KEY && this.#store.tables.has(index)) bytes += reader.sizeOf(index, key);
      return at > 0 && bytes > MAX_BATCH_CHARACTERS;
    });
    return end < 0 ? entries : entries.slice(0, end);
  }

  #count(rows: number): void {
    this.#rowsWritten += rows;
    this.#rowsSinceOpened += rows;
  }

  #positionAt(seq: number): ColumnPosition {
    return { opening: this.#files.opening, seq };
  }
}
