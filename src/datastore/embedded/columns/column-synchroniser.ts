import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { lastSequence, NO_KEY } from '../documents/document-database.ts';
import type { DocumentReader, DocumentRow } from '../documents/document-reader.ts';
import { catalogueVersion, type IndexCatalogue, isFinished, readCatalogue } from '../documents/index-catalogue.ts';
import { StoredDefinitions } from '../documents/stored-definitions.ts';
import type { ColumnBatch } from './column-batch.ts';
import { batchOf, MAX_BATCH_CHARACTERS, ScanProgress, scanNext } from './column-scan.ts';
import { type ColumnContext, type ColumnStore, openColumnStore } from './column-store.ts';
import { type ColumnTable, isComplete } from './column-tables.ts';

/** Changes of one transaction. */
const LOG_ROWS = 1024;
/** Changes of one transaction of deletions: finding 8192 keys takes three times as long as 1024. */
const DELETED_ROWS = 8 * LOG_ROWS;
/** Changes of one pass; between two passes checkpoints can run and memory can be released. */
const PASS_ROWS = 16 * LOG_ROWS;
/** Messages of errors after which the database refuses everything. */
const FATAL = /FATAL|INTERNAL|invalidated|Connection Error/i;
/** Messages for a block of the file that is not what was written. */
const DAMAGE = /corrupt|checksum|serializ/i;
/** The next changes of the log, up to `seq`: the rows of each table by key, undefined where deleted. */
interface LoggedChanges {
  readonly seq: number;
  readonly size: number;
  readonly rows: ReadonlyMap<ColumnTable, ReadonlyMap<number, DocumentRow | undefined>>;
}

const NOTHING_FOLLOWED: IndexCatalogue = { version: -1, indices: [] };

/** Makes the columns follow the documents: by the log of changes, or by a scan where a table is new. */
export class ColumnSynchroniser {
  readonly #context: ColumnContext;
  readonly #definitions: StoredDefinitions;
  readonly #progress: ScanProgress;
  #store: ColumnStore;
  #catalogue = NOTHING_FOLLOWED;
  #running: Promise<unknown> | undefined;
  /** False: closed while unused, or unusable after a fatal error; it is opened before it is used again. */
  #isOpen = true;
  #isDamaged = false;
  #rowsWritten = 0;
  #rowsSinceOpened = 0;

  private constructor(context: ColumnContext, store: ColumnStore) {
    this.#context = context;
    this.#store = store;
    this.#definitions = new StoredDefinitions(context.reader.database);
    this.#progress = new ScanProgress(context.folder, context.logger);
  }

  static async open(context: ColumnContext): Promise<ColumnSynchroniser> {
    return new ColumnSynchroniser(context, await openColumnStore(context, false));
  }

  /** Changes only while the lock is not shared, as `isOpen` does. */
  get store(): ColumnStore {
    return this.#store;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The number of rows written since the last checkpoint. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  get rowsSinceOpened(): number {
    return this.#rowsSinceOpened;
  }

  get isComplete(): boolean {
    return this.#store.tables.values().every(isComplete);
  }

  definition(index: number): CollectionDefinition<unknown> {
    return this.#definitions.get(this.#store.tables.get(index)?.fingerprint ?? '');
  }

  /** Resolves when the columns hold all earlier writes; throws `columns_rebuilding` if that takes long. */
  async upToDate(indices: readonly number[], signal: AbortSignal): Promise<void> {
    const isReached = this.#goal(this.#context.reader, indices);
    while (!isReached()) {
      signal.throwIfAborted();
      for (const index of indices) this.#progress.rejectLongWait(this.#store.tables.get(index));
      // A pass of another caller may be enough.
      if (this.#running) await this.#running.catch(() => undefined);
      else await this.advance();
    }
  }

  /** Runs one pass over what was written before it begins, and returns whether that was all of it. */
  advance(): Promise<boolean> {
    return this.#withStore(() => this.#pass(this.#context.reader));
  }

  /** Pins a state of the documents, moves the columns exactly there, and runs `work` there. */
  at<R>(pin: () => DocumentReader, indices: readonly number[], work: () => Promise<R>): Promise<R> {
    return this.#withStore(async () => {
      const reader = pin();
      const isReached = this.#goal(reader, indices);
      while (!isReached()) await this.#pass(reader);
      return work();
    });
  }

  /** Writes what is applied into the file, and returns the sequence number that is durable. */
  checkpoint(): Promise<number | undefined> {
    return this.#withStore(async () => {
      const seq = this.#store.position?.seq;
      await this.#store.database.checkpoint();
      this.#rowsWritten = 0;
      return seq;
    });
  }

  /** Reopens the files, which releases the memory that loading took. Waits for the searches that run. */
  reopen(): Promise<void> {
    return this.#withStore(() => this.#reopen());
  }

  /** Closes the files until they are needed again, which releases the memory that searching took. */
  async close(): Promise<void> {
    await this.#inTurn(() =>
      this.#context.lock.exclusive(async () => {
        if (this.#rowsWritten > 0 && this.#isOpen) await this.#store.database.checkpoint().catch(() => undefined);
        this.#rowsWritten = 0;
        this.#isOpen = false;
        await this.#store.database.close();
      }),
    );
  }

  /** Marks the database to be reopened after a fatal error, and to be rebuilt when its file is damaged. */
  markBrokenBy(error: unknown): void {
    const message = error instanceof Error ? error.message : '';
    if (DAMAGE.test(message)) this.#isDamaged = true;
    if (this.#isDamaged || FATAL.test(message)) this.#isOpen = false;
  }

  /** Runs one change of the columns at a time, with the files open. */
  #withStore<R>(work: () => Promise<R>): Promise<R> {
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

  async #inTurn<R>(work: () => Promise<R>): Promise<R> {
    while (this.#running) await this.#running.catch(() => undefined);
    const running = work().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  #reopen(): Promise<void> {
    return this.#context.lock.exclusive(async () => {
      this.#isOpen = false;
      await this.#store.database.close();
      this.#store = await openColumnStore(this.#context, this.#isDamaged);
      this.#isDamaged = false;
      this.#isOpen = true;
      this.#catalogue = NOTHING_FOLLOWED;
      this.#rowsWritten = 0;
      this.#rowsSinceOpened = 0;
    });
  }

  /** Returns a test whether the columns of the indices hold the present state of the documents. */
  #goal({ database }: DocumentReader, indices: readonly number[]): () => boolean {
    const target = lastSequence(database);
    const version = catalogueVersion(database);
    return () => {
      if (!this.#isOpen || this.#store.seq < target || this.#catalogue.version < version) return false;
      return indices.every((index) => {
        const table = this.#store.tables.get(index);
        return table !== undefined && isComplete(table);
      });
    };
  }

  async #pass(reader: DocumentReader): Promise<boolean> {
    // Read before the catalogue: writes under a later definition must not be indexed by the earlier one.
    const target = lastSequence(reader.database);
    await this.#followCatalogue(reader);
    for (let rows = 0; rows < PASS_ROWS && this.#store.seq < target; ) rows += await this.#applyLog(reader, target);
    if (this.#store.seq < target) return false;
    await this.#scanNext(reader);
    return true;
  }

  async #scanNext(reader: DocumentReader): Promise<void> {
    // The smallest first: users have to be found before a sign-in, and a million alerts take a minute.
    const [smallest] = [...this.#store.tables.values()]
      .filter((table) => !isComplete(table))
      .sort((a, b) => a.until - a.scanned - (b.until - b.scanned));
    if (smallest === undefined) return;
    const definition = this.definition(smallest.index);
    this.#count(await scanNext(this.#store, reader, definition, smallest));
    this.#progress.report(smallest, this.#catalogue);
  }

  async #followCatalogue(reader: DocumentReader): Promise<void> {
    if (catalogueVersion(reader.database) === this.#catalogue.version) return;
    const catalogue = readCatalogue(reader.database);
    const present = new Map(catalogue.indices.filter(isFinished).map((index) => [index.number, index.fingerprint]));
    for (const table of [...this.#store.tables.values()]) {
      const fingerprint = present.get(table.index);
      if (fingerprint === table.fingerprint) continue;
      if (fingerprint !== undefined && this.#definitions.extends(table.fingerprint, fingerprint)) {
        await this.#store.adopt(table, fingerprint);
      } else {
        await this.#store.dropTable(table.index);
      }
    }
    for (const [index, fingerprint] of present) {
      if (!this.#store.tables.has(index)) await this.#store.createTable(index, fingerprint, reader.lastKey(index));
    }
    this.#catalogue = catalogue;
  }

  /** Applies the next changes of the log as one transaction, and returns how many. */
  async #applyLog(reader: DocumentReader, target: number): Promise<number> {
    const from = this.#store.seq;
    const { seq, size, rows } = this.#next(reader, from, target);
    const changes: { table: ColumnTable; keys: readonly number[]; batch: ColumnBatch }[] = [];
    for (const [table, found] of rows) {
      const batch = batchOf(this.definition(table.index), [...found.values()]);
      await this.#store.prepare(table, batch.columns);
      changes.push({ table, keys: [...found.keys()], batch });
    }
    const copies = reader.copies(from, seq);
    await this.#store.change(seq, async (transaction) => {
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
    return size;
  }

  /** Reads the next changes whose documents can be parsed at once; more where all are deletions. */
  #next(reader: DocumentReader, from: number, target: number): LoggedChanges {
    const rows = new Map<ColumnTable, Map<number, DocumentRow | undefined>>();
    let [seq, size, characters] = [from, 0, 0];
    for (;;) {
      const entries = reader.log(seq, target, LOG_ROWS);
      for (const { index, key, ...entry } of entries) {
        // The documents of an index without a table may be deleted.
        const table = key === NO_KEY ? undefined : this.#store.tables.get(index);
        const found = table && (rows.get(table) ?? new Map<number, DocumentRow | undefined>());
        if (table && found && !found.has(key)) {
          const row = reader.byKey(index, key);
          characters += row?.json.length ?? 0;
          if (size > 0 && characters > MAX_BATCH_CHARACTERS) return { seq, size, rows };
          rows.set(table, found.set(key, row));
        }
        seq = entry.seq;
        size += 1;
      }
      // The log begins later only when it was trimmed, which waits for this store.
      if (size === 0) return { seq: target, size: 1, rows };
      if (entries.length < LOG_ROWS || characters > 0 || size >= DELETED_ROWS) return { seq, size, rows };
    }
  }

  #count(rows: number): void {
    this.#rowsWritten += rows;
    this.#rowsSinceOpened += rows;
  }
}
