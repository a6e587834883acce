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
  /** Closes the other dependencies. */
  readonly release: () => Promise<void>;
}

/** Combines the writer, the reader, the columns and the catalogue for collections and administration. */
export class DocumentStorage {
  readonly reader: DocumentReader;
  readonly columns: Columns;
  readonly logger: DatastoreLogger;
  readonly #queue: WriteQueue;
  readonly #release: () => Promise<void>;
  #catalogue: IndexCatalogue;
  #running = 0;
  #writeProblem: string | undefined;
  #idle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor({ queue, reader, columns, catalogue, logger, release }: DocumentStorageDependencies) {
    this.reader = reader;
    this.columns = columns;
    this.logger = logger;
    this.#queue = queue;
    this.#release = release;
    this.#catalogue = catalogue;
  }

  get catalogue(): IndexCatalogue {
    return this.#catalogue;
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** The reason why the last write failed, when storage and not the write was the cause. */
  get writeProblem(): string | undefined {
    return this.#writeProblem;
  }

  /** Runs an operation, which closing waits for. Throws `datastore_unavailable` once closed. */
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

  async write<M extends WriteMethod>(
    method: M,
    ...args: ArgumentsOf<DocumentWriter, M>
  ): Promise<ResultOf<DocumentWriter, M>> {
    await this.columns.catchUp?.(this.#queue.seq);
    try {
      const result = await this.#queue.submit({ method, args } as unknown as WriteCall);
      this.#noteProblem(undefined);
      this.columns.announce?.();
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
