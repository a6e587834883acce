import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../errors/errors.ts';
import type { DatastoreLogger } from '../port/datastore-logger.ts';
import type { ColumnEngine, ColumnEngineOptions } from './column-engine.ts';
import type { ColumnSelection } from './queries/query-context.ts';
import { type ArgumentsOf, type FromThread, invoke, type ResultOf, WorkerCalls } from './worker-calls.ts';

export type ColumnMethod = Exclude<keyof ColumnEngine, 'announce' | 'close'>;

/** Calls the column engine, which may run in another thread. */
export interface Columns {
  /** Delays a write while the columns are far behind what was written, so that searches stay fast. */
  catchUp?(written: number): Promise<void>;
  /** Reports a write, so that it is applied before a search has to wait for it. */
  announce?(): void;
  call<M extends ColumnMethod>(method: M, ...args: ArgumentsOf<ColumnEngine, M>): Promise<ResultOf<ColumnEngine, M>>;
  close(): Promise<void>;
}

/** Runs the engine in this thread. The first search loads it, because its native library is large. */
export function directColumns(options: ColumnEngineOptions): Columns {
  let engine: Promise<ColumnEngine> | undefined;
  return {
    async call(method, ...args) {
      engine ??= import('./column-engine.ts').then(({ ColumnEngine }) => new ColumnEngine(options));
      return invoke(await engine, method, args);
    },
    close: async () => (await engine)?.close(),
  };
}

/** `cancel` has the identifier of a call, for whose answer the caller no longer waits. */
export interface ColumnCall {
  readonly method: ColumnMethod | 'announce' | 'cancel' | 'close';
  readonly args: readonly unknown[];
}
export type ColumnEvent =
  | { readonly kind: 'applied'; readonly seq: number }
  | { readonly kind: 'durable'; readonly seq: number }
  | { readonly kind: 'log'; readonly level: keyof DatastoreLogger; readonly details: object; readonly text: string };
export type FromColumns = FromThread<ColumnEvent>;

export interface ThreadedColumnsOptions extends Pick<ColumnEngineOptions, 'folder' | 'logger' | 'onDurable'> {
  /** Megabytes that the thread may use for JavaScript. Default 512. */
  readonly heapSize?: number;
}

/** Milliseconds that writes are collected before they are announced together. */
const ANNOUNCE_AFTER = 200;
/** Megabytes. */
const YOUNG_HEAP = 24;
const HEAP = 512;
/** Pending writes for which a search would wait for seconds. */
const MAX_PENDING = 30_000;
/** Milliseconds. */
const POLL_INTERVAL = 20;
/** Milliseconds; writes continue, slowly, also when the columns do not follow at all. */
const MAX_DELAY = 250;

/** Runs the engine in a thread of its own, which is replaced when it fails: only cursors are lost. */
export class ThreadedColumns implements Columns {
  readonly #options: ThreadedColumnsOptions;
  #thread: WorkerCalls<ColumnCall, ColumnEvent> | undefined;
  #isClosing = false;
  #isAnnounced = false;
  #appliedSequence = 0;

  constructor(options: ThreadedColumnsOptions) {
    this.#options = options;
    this.#start();
  }

  announce(): void {
    if (this.#isAnnounced || this.#isClosing) return;
    this.#isAnnounced = true;
    setTimeout(() => {
      this.#isAnnounced = false;
      if (!this.#isClosing) this.#notify({ method: 'announce', args: [] });
    }, ANNOUNCE_AFTER).unref();
  }

  async catchUp(written: number): Promise<void> {
    // Nothing is known before the columns have reported.
    const isBehind = () => this.#appliedSequence > 0 && written - this.#appliedSequence > MAX_PENDING;
    for (let waited = 0; waited < MAX_DELAY && isBehind(); waited += POLL_INTERVAL) await sleep(POLL_INTERVAL);
  }

  call<M extends ColumnMethod>(method: M, ...args: ArgumentsOf<ColumnEngine, M>): Promise<ResultOf<ColumnEngine, M>> {
    return this.#call(method, args) as Promise<ResultOf<ColumnEngine, M>>;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const thread = this.#thread;
    await thread?.call({ method: 'close', args: [] }).answer;
    await thread?.ended;
  }

  /** Sends a cancellation in the place of the signal of a selection, which cannot cross threads. */
  async #call(method: ColumnMethod, args: readonly unknown[]): Promise<unknown> {
    const thread = this.#start();
    const [selection, ...rest] = args;
    if (typeof selection !== 'object') return thread.call({ method, args }).answer;
    const { signal, ...sent } = selection as ColumnSelection;
    const { id, answer } = thread.call({ method, args: [sent, ...rest] });
    if (signal === undefined) return answer;
    const cancel = () => this.#notify({ method: 'cancel', args: [id] }, thread);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    return answer.finally(() => signal.removeEventListener('abort', cancel));
  }

  /** Calls without waiting; a thread that has failed needs no notice. */
  #notify(call: ColumnCall, thread = this.#start()): void {
    thread.call(call).answer.catch(() => undefined);
  }

  #start(): WorkerCalls<ColumnCall, ColumnEvent> {
    if (this.#thread) return this.#thread;
    const { folder, logger, heapSize = HEAP } = this.#options;
    const worker = new Worker(new URL('./column-thread.ts', import.meta.url), {
      workerData: { folder },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP, maxOldGenerationSizeMb: heapSize },
    });
    const failed = `The search columns of ${folder} failed and are started again. No document is lost.`;
    const repeat = 'The search columns failed and are started again. Repeat the search.';
    this.#thread = new WorkerCalls(worker, {
      onEvent: (event) => this.#receive(event),
      onError: (error) => logger.error({ err: error }, failed),
      lost: () => new Unavailable('datastore_unavailable', repeat, { retryAfter: 1 }),
    });
    worker.once('exit', () => {
      this.#thread = undefined;
    });
    return this.#thread;
  }

  #receive(event: ColumnEvent): void {
    if (event.kind === 'log') this.#options.logger[event.level](event.details, event.text);
    else if (event.kind === 'applied') this.#appliedSequence = event.seq;
    else this.#options.onDurable(event.seq);
  }
}
