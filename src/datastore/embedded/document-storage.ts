import { isTriadError, Unavailable } from '../../errors/errors.ts';
import type { DatastoreLogger } from '../port/datastore-logger.ts';
import type { Columns } from './columns.ts';
import type { DocumentReader } from './documents/document-reader.ts';
import type { DocumentWriter, WriteCall, WriteMethod } from './documents/document-writer.ts';
import { type CatalogueIndex, findIndex, type IndexCatalogue } from './documents/index-catalogue.ts';
import type { IndexChange, IndexChanges } from './documents/index-changes.ts';
import type { WriteQueue } from './documents/write-queue.ts';
import type { ArgumentsOf, ResultOf } from './worker-calls.ts';

export interface DocumentStorageDependencies {
  readonly queue: WriteQueue;
  readonly reader: DocumentReader;
  readonly columns: Columns;
  readonly catalogue: IndexCatalogue;
  readonly logger: DatastoreLogger;
  /** Undefined: the columns cannot fall behind. */
  readonly lag?: ColumnLag;
  /** Closes the other dependencies. */
  readonly release: () => Promise<void>;
}

/** Keeps the columns near the documents. */
export interface ColumnLag {
  /** Delays a write while the columns are far behind. */
  wait(): Promise<void>;
  /** Reports a write, so that it is applied before a search has to wait for it. */
  announce(): void;
}

/** Combines the writer, the reader, the columns and the catalogue for collections and administration. */
export class DocumentStorage {
  readonly reader: DocumentReader;
  readonly columns: Columns;
  readonly logger: DatastoreLogger;
  readonly #queue: WriteQueue;
  readonly #lag: ColumnLag | undefined;
  readonly #release: () => Promise<void>;
  #catalogue: IndexCatalogue;
  #running = 0;
  #writeProblem: string | undefined;
  #idle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor({ queue, reader, columns, catalogue, logger, lag, release }: DocumentStorageDependencies) {
    this.reader = reader;
    this.columns = columns;
    this.logger = logger;
    this.#queue = queue;
    this.#lag = lag;
    this.#release = release;
    this.#catalogue = catalogue;
  }

  get catalogue(): IndexCatalogue {
    return this.#catalogue;
  }

  /** True when long work has to stop. */
  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** The reason why the last write failed, when storage and not the write was the cause. */
  get writeProblem(): string | undefined {
    return this.#writeProblem;
  }

  /** Runs an operation, which closing waits for; throws `datastore_unavailable` after closing. */
  async during<R>(operation: () => R | Promise<R>): Promise<R> {
    if (this.#closing) throw new Unavailable('datastore_unavailable', 'The datastore is closed.');
    this.#running += 1;
    try {
      return await operation();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#idle?.();
    }
  }

  /** @throws what the writer refused the call with */
  async write<M extends WriteMethod>(
    method: M,
    ...args: ArgumentsOf<DocumentWriter, M>
  ): Promise<ResultOf<DocumentWriter, M>> {
    await this.#lag?.wait();
    try {
      const result = await this.#queue.submit({ method, args } as unknown as WriteCall);
      this.#noteProblem(undefined);
      this.#lag?.announce();
      return result as ResultOf<DocumentWriter, M>;
    } catch (error) {
      if (isTriadError(error) && error.code === 'datastore_unavailable') this.#noteProblem(error);
      throw error;
    }
  }

  async administer<C extends IndexChange>(change: C, ...args: ArgumentsOf<IndexChanges, C>): Promise<void> {
    const catalogue = await this.write('administer', change, args);
    if (catalogue.version > this.#catalogue.version) this.#catalogue = catalogue;
  }

  /** @throws NotFound `index_missing` */
  index(name: string): CatalogueIndex {
    return findIndex(this.#catalogue, name);
  }

  /** Finishes what was begun, then releases everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Logs one line when writes begin to fail and one when they work again, none in between. */
  #noteProblem(problem: Error | undefined): void {
    if ((problem === undefined) === (this.#writeProblem === undefined)) return;
    this.#writeProblem = problem?.message;
    if (problem) this.logger.error({ code: 'datastore_unavailable' }, `Writes fail. ${problem.message}`);
    else this.logger.info({}, 'Writes work again.');
  }

  async #close(): Promise<void> {
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await this.#release();
  }
}
