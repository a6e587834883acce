import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../../errors/errors.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import { errorFrom, type WriteFailure } from '../documents/write-requests.ts';
import type { ColumnSelection } from '../queries/query-context.ts';
import type { ColumnEngine, ColumnEngineOptions } from './column-engine.ts';

export type ColumnMethod = Exclude<keyof ColumnEngine, 'announce' | 'close'>;
export type ColumnArguments<M extends ColumnMethod> = Parameters<ColumnEngine[M]>;
export type ColumnResult<M extends ColumnMethod> = Awaited<ReturnType<ColumnEngine[M]>>;

/** The column engine, in whichever thread it runs. */
export interface Columns {
  /** Reports a write, so that it is applied before a search has to wait for it. */
  announce(): void;
  call<M extends ColumnMethod>(method: M, ...args: ColumnArguments<M>): Promise<ColumnResult<M>>;
  close(): Promise<void>;
}

/** Calls a method of the engine by its name. */
export function callEngine<M extends ColumnMethod>(
  engine: ColumnEngine,
  method: M,
  args: ColumnArguments<M>,
): Promise<ColumnResult<M>> {
  const run = engine[method] as (...args: ColumnArguments<M>) => Promise<ColumnResult<M>>;
  return run.apply(engine, args);
}

/**
 * The engine in this thread, for documents in memory. It is loaded with the first search: the native library is large, and a
 * datastore that never searches does not need it.
 */
export class DirectColumns implements Columns {
  readonly #options: ColumnEngineOptions;
  #engine: Promise<ColumnEngine> | undefined;

  constructor(options: ColumnEngineOptions) {
    this.#options = options;
  }

  announce(): void {}

  async call<M extends ColumnMethod>(method: M, ...args: ColumnArguments<M>): Promise<ColumnResult<M>> {
    this.#engine ??= import('./column-engine.ts').then(({ ColumnEngine }) => new ColumnEngine(this.#options));
    return callEngine(await this.#engine, method, args);
  }

  async close(): Promise<void> {
    await (await this.#engine)?.close();
  }
}

export type ToColumns =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: ColumnMethod | 'close';
      readonly args: readonly unknown[];
    }
  /** Nobody waits for the answer of the call any more. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'announce' };
export type FromColumns =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: WriteFailure }
  | { readonly kind: 'applied'; readonly seq: number }
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
  /** Megabytes that the thread may use for JavaScript. Default 512. */
  readonly heapSize?: number;
}

/** Writes are announced together, this long after the first of them, when no search applies them before. Milliseconds. */
const ANNOUNCE_AFTER = 200;
/** Megabytes. */
const YOUNG_HEAP = 24;
const HEAP = 512;

/** The engine in a thread of its own. A thread that fails is replaced: nothing is lost with it but cursors. */
export class ThreadedColumns implements Columns {
  readonly #options: ThreadedColumnsOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #lastId = 0;
  #isClosing = false;
  #isAnnounced = false;
  #appliedSequence = 0;

  constructor(options: ThreadedColumnsOptions) {
    this.#options = options;
    this.#start();
  }

  /** Number of a write that the columns hold, with all before it; more may be applied already. */
  get appliedSequence(): number {
    return this.#appliedSequence;
  }

  announce(): void {
    if (this.#isAnnounced || this.#isClosing) return;
    this.#isAnnounced = true;
    setTimeout(() => {
      this.#isAnnounced = false;
      if (!this.#isClosing) this.#start().postMessage({ kind: 'announce' } satisfies ToColumns);
    }, ANNOUNCE_AFTER).unref();
  }

  call<M extends ColumnMethod>(method: M, ...args: ColumnArguments<M>): Promise<ColumnResult<M>> {
    return this.#send(method, args) as Promise<ColumnResult<M>>;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#worker) await this.#send('close', []);
    await this.#ended;
  }

  #send(method: ColumnMethod | 'close', args: readonly unknown[]): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    const [first, ...rest] = args;
    const { signal, ...selection } = isSelection(first) ? first : {};
    const sent = isSelection(first) ? [selection, ...rest] : args;
    this.#start().postMessage({ kind: 'call', id, method, args: sent } satisfies ToColumns);
    if (signal === undefined) return waiting.promise;
    const cancel = () => this.#worker?.postMessage({ kind: 'cancel', id } satisfies ToColumns);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    return waiting.promise.finally(() => signal.removeEventListener('abort', cancel));
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const { folder, logger, heapSize = HEAP } = this.#options;
    const worker = new Worker(new URL('./column-thread.ts', import.meta.url), {
      workerData: { folder },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP, maxOldGenerationSizeMb: heapSize },
    });
    this.#worker = worker;
    worker.on('message', (message: FromColumns) => this.#receive(message));
    worker.on('error', (error) => {
      logger.error(
        { err: error },
        `The search columns of ${folder} failed and are started again. No document is lost.`,
      );
    });
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#worker = undefined;
        for (const waiting of this.#waiting.values()) waiting.reject(this.#unavailable());
        this.#waiting.clear();
        resolve();
      });
    });
    return worker;
  }

  #receive(message: FromColumns): void {
    if (message.kind === 'log') {
      this.#options.logger[message.level](message.details, message.text);
    } else if (message.kind === 'applied') {
      this.#appliedSequence = message.seq;
    } else if (message.kind === 'durable') {
      this.#options.onDurable(message.seq);
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.kind === 'result') waiting?.resolve(message.result);
      else waiting?.reject(errorFrom(message.failure));
    }
  }

  #unavailable(): Unavailable {
    const message = 'The search columns failed and are started again. Repeat the search.';
    return new Unavailable('datastore_unavailable', message, { retryAfter: 1 });
  }
}

function isSelection(argument: unknown): argument is Partial<ColumnSelection> {
  return typeof argument === 'object' && argument !== null && 'signal' in argument;
}
