import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../errors/errors.ts';
import type { ColumnEngine } from './column-engine.ts';
import type { ColumnMethod, Columns } from './columns.ts';
import type { DatastoreLogger } from './datastore-logger.ts';
import { errorFrom } from './write-failures.ts';
import type { WriteFailure } from './write-requests.ts';

export type ToColumns =
  | { readonly kind: 'call'; readonly id: number; readonly method: ColumnMethod; readonly args: readonly unknown[] }
  | { readonly kind: 'announce' };
export type FromColumns =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: WriteFailure }
  | { readonly kind: 'durable'; readonly seq: number }
  | {
      readonly kind: 'log';
      readonly level: keyof DatastoreLogger;
      readonly details: object;
      readonly text: string;
    };

export interface ThreadedColumnsOptions {
  readonly folder: string;
  readonly logger: DatastoreLogger;
  readonly onDurable: (seq: number) => void;
}

type Arguments<M extends ColumnMethod> = Parameters<ColumnEngine[M]>;
type Result<M extends ColumnMethod> = Awaited<ReturnType<ColumnEngine[M]>>;

/** Writes are announced together. Milliseconds. */
const ANNOUNCE_EVERY = 50;
const LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 };

/** The engine in a thread of its own. */
export class ThreadedColumns implements Columns {
  readonly #options: ThreadedColumnsOptions;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #defect: Error | undefined;
  #announced = false;

  constructor(options: ThreadedColumnsOptions) {
    this.#options = options;
    const { folder, logger } = options;
    this.#worker = new Worker(new URL('./column-thread.ts', import.meta.url), {
      workerData: { folder },
      resourceLimits: LIMITS,
    });
    this.#worker.on('message', (message: FromColumns) => this.#receive(message));
    this.#worker.on('error', (error) => {
      logger.error({ err: error }, `The search columns of ${folder} failed. Restart the program; no document is lost.`);
      this.#end(error);
    });
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    void this.#ended.then(() => this.#end(new Error('the columns have ended')));
  }

  announce(): void {
    if (this.#announced || this.#defect) return;
    this.#announced = true;
    setTimeout(() => {
      this.#announced = false;
      if (!this.#defect) this.#worker.postMessage({ kind: 'announce' } satisfies ToColumns);
    }, ANNOUNCE_EVERY).unref();
  }

  page(...args: Arguments<'page'>) {
    return this.#call('page', args);
  }

  count(...args: Arguments<'count'>) {
    return this.#call('count', args);
  }

  facet(...args: Arguments<'facet'>) {
    return this.#call('facet', args);
  }

  histogram(...args: Arguments<'histogram'>) {
    return this.#call('histogram', args);
  }

  stats(...args: Arguments<'stats'>) {
    return this.#call('stats', args);
  }

  group(...args: Arguments<'group'>) {
    return this.#call('group', args);
  }

  openCursor(...args: Arguments<'openCursor'>) {
    return this.#call('openCursor', args);
  }

  readCursor(...args: Arguments<'readCursor'>) {
    return this.#call('readCursor', args);
  }

  readFound(...args: Arguments<'readFound'>) {
    return this.#call('readFound', args);
  }

  closeCursor(...args: Arguments<'closeCursor'>) {
    return this.#call('closeCursor', args);
  }

  checkpoint() {
    return this.#call('checkpoint', []);
  }

  async close(): Promise<void> {
    if (!this.#defect) await this.#call('close', []);
    await this.#ended;
  }

  #call<M extends ColumnMethod>(method: M, args: Arguments<M>): Promise<Result<M>> {
    if (this.#defect) return Promise.reject(this.#unavailable());
    this.#lastId += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastId, waiting);
    this.#worker.postMessage({ kind: 'call', id: this.#lastId, method, args } satisfies ToColumns);
    return waiting.promise as Promise<Result<M>>;
  }

  #receive(message: FromColumns): void {
    if (message.kind === 'log') {
      this.#options.logger[message.level](message.details, message.text);
    } else if (message.kind === 'durable') {
      this.#options.onDurable(message.seq);
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.kind === 'result') waiting?.resolve(message.result);
      else waiting?.reject(errorFrom(message.failure));
    }
  }

  #end(error: Error): void {
    this.#defect ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#unavailable());
    this.#waiting.clear();
  }

  #unavailable(): Unavailable {
    return new Unavailable('datastore_unavailable', `The search columns of ${this.#options.folder} do not answer.`, {
      cause: this.#defect,
    });
  }
}
