import { setTimeout as sleep } from 'node:timers/promises';
import { NotFound, Unavailable } from '../../../errors/errors.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import type { Columns } from '../columns/columns.ts';
import type { CatalogueIndex, IndexCatalogue } from '../indices/index-catalogue.ts';
import type { DocumentReader } from './document-reader.ts';
import type { WriteQueue } from './write-queue.ts';
import {
  type AdminOperation,
  errorFrom,
  type WriteFailure,
  type WriteOutcome,
  type WriteRequest,
} from './write-requests.ts';

type Outcome<K extends WriteRequest['kind']> = Extract<WriteOutcome, { kind: K }>;

export interface DocumentStorageDependencies {
  readonly queue: WriteQueue;
  readonly reader: DocumentReader;
  readonly columns: Columns;
  readonly catalogue: IndexCatalogue;
  readonly logger: DatastoreLogger;
  /** Undefined: the columns cannot fall behind. */
  readonly lag?: ColumnLag;
  /** Closes the parts. */
  readonly release: () => Promise<void>;
}

/** What collections and administration stand on: the writer, reads by identifier, the columns, and the indices that there are. */
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

  constructor(dependencies: DocumentStorageDependencies) {
    this.reader = dependencies.reader;
    this.columns = dependencies.columns;
    this.#queue = dependencies.queue;
    this.#lag = dependencies.lag;
    this.logger = dependencies.logger;
    this.#catalogue = dependencies.catalogue;
    this.#release = dependencies.release;
  }

  get catalogue(): IndexCatalogue {
    return this.#catalogue;
  }

  /** Work that takes long has to stop. */
  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /**
   * Runs an operation of a caller; closing waits for it.
   * @throws Unavailable `datastore_unavailable`, after the datastore was closed
   */
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

  /** @throws what the writer refused the request with */
  async write<R extends WriteRequest>(request: R): Promise<Outcome<R['kind']>> {
    await this.#lag?.wait();
    const outcome = await this.#queue.submit(request);
    if (outcome.kind === 'failed') throw this.#failed(outcome.failure);
    this.#succeeded();
    if (outcome.kind === 'admin' && outcome.catalogue.version > this.#catalogue.version) {
      this.#catalogue = outcome.catalogue;
    }
    this.columns.announce();
    return outcome as Outcome<R['kind']>;
  }

  /** Why the last write failed, when storage and not the write was the reason. */
  get writeProblem(): string | undefined {
    return this.#writeProblem;
  }

  async administer(operation: AdminOperation): Promise<IndexCatalogue> {
    const { catalogue } = await this.write({ kind: 'admin', operation });
    return catalogue;
  }

  /** @throws NotFound `index_missing` */
  index(name: string): CatalogueIndex {
    const index = this.#catalogue.indices.find((candidate) => candidate.name === name);
    if (!index) throw new NotFound('index_missing', `There is no index ${name}.`);
    return index;
  }

  /** Finishes what was begun, then releases everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** One line when writes begin to fail, one when they work again, whatever happens between. */
  #failed(failure: WriteFailure): Error {
    if (failure.code === 'datastore_unavailable' && this.#writeProblem === undefined) {
      this.#writeProblem = failure.message;
      this.logger.error({ code: failure.code }, `Writes fail. ${failure.message}`);
    }
    return errorFrom(failure);
  }

  #succeeded(): void {
    if (this.#writeProblem === undefined) return;
    this.#writeProblem = undefined;
    this.logger.info({}, 'Writes work again.');
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

export interface ColumnLagOptions {
  /** Number of the newest write that was answered. */
  readonly written: () => number;
  /** Number up to which writes are applied to the columns. */
  readonly applied: () => number;
}

/** A search that finds so many writes pending waits for them for seconds. */
const MAX_PENDING = 30_000;
const LOOK_EVERY = 20;
/** Writes go on, slowly, also when the columns do not follow at all. Milliseconds. */
const MAX_DELAY = 250;

/** Slows those down who write more than the columns can follow, so that searches stay quick. */
export class ColumnLag {
  readonly #options: ColumnLagOptions;

  constructor(options: ColumnLagOptions) {
    this.#options = options;
  }

  async wait(): Promise<void> {
    for (let waited = 0; waited < MAX_DELAY && this.#pending > MAX_PENDING; waited += LOOK_EVERY) {
      await sleep(LOOK_EVERY);
    }
  }

  get #pending(): number {
    const applied = this.#options.applied();
    // Nothing is known before the columns have reported.
    return applied === 0 ? 0 : this.#options.written() - applied;
  }
}
