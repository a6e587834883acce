import { Worker } from 'node:worker_threads';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import type { IndexCatalogue } from '../indices/index-catalogue.ts';
import type { DocumentWriter } from './document-writer.ts';
import { errorFrom, type WriteFailure, type WriteOutcome, type WriteRequest } from './write-requests.ts';

/** Takes writes, wherever the writer runs. Requests are applied in the order in which they come. */
export interface WriteQueue {
  submit(request: WriteRequest): Promise<WriteOutcome>;
  /** Finishes what was submitted. */
  close(): Promise<void>;
}

/** Writes at once, where nothing can block: in memory. */
export class DirectWriteQueue implements WriteQueue {
  readonly #writer: DocumentWriter;

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  async submit(request: WriteRequest): Promise<WriteOutcome> {
    const [outcome] = this.#writer.commit([request]);
    if (!outcome) throw new Error('the writer gave no outcome');
    return outcome;
  }

  async close(): Promise<void> {}
}

export type ToWriter =
  | { readonly kind: 'write'; readonly id: number; readonly request: WriteRequest }
  | { readonly kind: 'close' };
export type FromWriter =
  | { readonly kind: 'ready'; readonly catalogue: IndexCatalogue }
  | { readonly kind: 'refused'; readonly failure: WriteFailure }
  | {
      readonly kind: 'outcomes';
      readonly outcomes: readonly { readonly id: number; readonly outcome: WriteOutcome }[];
      /** Number of the newest write. */
      readonly seq: number;
    };

/** Writes in a thread of their own, since a sync of the disk blocks whoever asks for it. */
export class ThreadedWriteQueue implements WriteQueue {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<WriteOutcome>>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #lastSequence = 0;
  #defect: Error | undefined;

  private constructor(worker: Worker, folder: string, logger: DatastoreLogger) {
    this.#worker = worker;
    worker.on('message', (message: FromWriter) => this.#receive(message));
    worker.on('error', (error) => {
      logger.error({ err: error }, `The writer of ${folder} failed. Restart the program.`);
      this.#end(error);
    });
    this.#ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    void this.#ended.then(() => this.#end(new Error('the writer has ended')));
  }

  /** @throws Unavailable `datastore_unavailable`, when the folder cannot be written */
  static async open(
    folder: string,
    logger: DatastoreLogger,
  ): Promise<{ queue: ThreadedWriteQueue; catalogue: IndexCatalogue }> {
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { folder } });
    const catalogue = await new Promise<IndexCatalogue>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (message: FromWriter) => {
        if (message.kind === 'ready') resolve(message.catalogue);
        else if (message.kind === 'refused') reject(errorFrom(message.failure));
      });
    });
    return { queue: new ThreadedWriteQueue(worker, folder, logger), catalogue };
  }

  /** Number of the newest write that was answered. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  submit(request: WriteRequest): Promise<WriteOutcome> {
    if (this.#defect) return Promise.resolve(this.#unavailable());
    this.#lastId += 1;
    const waiting = Promise.withResolvers<WriteOutcome>();
    this.#waiting.set(this.#lastId, waiting);
    this.#worker.postMessage({ kind: 'write', id: this.#lastId, request } satisfies ToWriter);
    return waiting.promise;
  }

  async close(): Promise<void> {
    if (this.#defect) return;
    this.#worker.postMessage({ kind: 'close' } satisfies ToWriter);
    await this.#ended;
  }

  #receive(message: FromWriter): void {
    if (message.kind !== 'outcomes') return;
    this.#lastSequence = message.seq;
    for (const { id, outcome } of message.outcomes) {
      this.#waiting.get(id)?.resolve(outcome);
      this.#waiting.delete(id);
    }
  }

  #end(error: Error): void {
    this.#defect ??= error;
    for (const waiting of this.#waiting.values()) waiting.resolve(this.#unavailable());
    this.#waiting.clear();
  }

  #unavailable(): WriteOutcome {
    const message = 'The writer of the documents has failed. Restart the program.';
    return { kind: 'failed', failure: { kind: 'unavailable', code: 'datastore_unavailable', message } };
  }
}
