import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../../errors/errors.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import { type FromThread, WorkerCalls } from '../worker-calls.ts';
import type { WriteCall } from './document-writer.ts';
import type { IndexCatalogue } from './index-catalogue.ts';

/** Accepts writes and applies them in the order in which they come. */
export interface WriteQueue {
  /** The number of the newest answered write. */
  readonly seq: number;
  /** Throws what the writer refused the call with. */
  submit(call: WriteCall): Promise<unknown>;
}

export type QueueCall = WriteCall | { readonly method: 'open' } | { readonly method: 'close' };
/** The event is the number of the newest write. */
export type FromWriter = FromThread<number>;

/** Writes in a thread of its own, because a sync of the disk blocks its caller. */
export class ThreadedWriteQueue implements WriteQueue {
  readonly #calls: WorkerCalls<QueueCall, number>;
  #seq = 0;

  constructor(folder: string, logger: DatastoreLogger) {
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { folder } });
    const message = 'The writer of the documents has failed. Restart the program.';
    this.#calls = new WorkerCalls(worker, {
      onEvent: (seq) => {
        this.#seq = seq;
      },
      onError: (error) => logger.error({ err: error }, `The writer of ${folder} failed. Restart the program.`),
      lost: () => new Unavailable('datastore_unavailable', message),
    });
  }

  /** Opens the documents. Throws `datastore_unavailable` when the folder cannot be written. */
  open(): Promise<IndexCatalogue> {
    return this.#calls.call({ method: 'open' }).answer as Promise<IndexCatalogue>;
  }

  get seq(): number {
    return this.#seq;
  }

  submit(call: WriteCall): Promise<unknown> {
    return this.#calls.call(call).answer;
  }

  async close(): Promise<void> {
    await this.#calls.call({ method: 'close' }).answer.catch(() => undefined);
    await this.#calls.ended;
  }
}
