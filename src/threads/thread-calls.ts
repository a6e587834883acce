import { type TransferListItem, Worker } from 'node:worker_threads';
import { Unavailable } from '../errors/errors.ts';

/** The answer of a thread to the call of the same number. */
export type ThreadAnswer = { readonly call: number } & ({ readonly result: unknown } | { readonly problem: string });

interface WaitingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface ThreadOptions {
  /** Milliseconds that a call may take; the thread is then stopped, and its other calls fail too. */
  readonly timeout: number;
  /** Called with the reason when a thread ends before its time. */
  readonly onFailure: (reason: string) => void;
}

/**
 * Calls of a thread that starts with the first call and again after a failure. The thread answers each
 * message `{ call, … }` with a `ThreadAnswer`.
 */
export class ThreadCalls {
  readonly #script: URL;
  readonly #options: ThreadOptions;
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, WaitingCall>();
  #lastCall = 0;

  constructor(script: URL, options: ThreadOptions) {
    this.#script = script;
    this.#options = options;
  }

  /** @throws Unavailable `thread_failed`, when the thread ended or did not answer in time */
  async call(message: object, transfer: readonly TransferListItem[] = []): Promise<unknown> {
    const worker = this.#start();
    this.#lastCall += 1;
    const call = this.#lastCall;
    const answer = new Promise((resolve, reject) => this.#waiting.set(call, { resolve, reject }));
    const timer = setTimeout(() => void worker.terminate(), this.#options.timeout);
    worker.ref();
    worker.postMessage({ ...message, call }, [...transfer]);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(call);
      // An idle thread does not keep the program alive.
      if (this.#waiting.size === 0) this.#worker?.unref();
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#script);
    let reason = 'it did not answer in time';
    worker.on('message', (answer: ThreadAnswer) => {
      const waiting = this.#waiting.get(answer.call);
      if ('result' in answer) waiting?.resolve(answer.result);
      else waiting?.reject(new Error(answer.problem));
    });
    worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      if (this.#waiting.size === 0) return;
      this.#options.onFailure(reason);
      const message = `A thread of the program ended: ${reason}. Repeat the request.`;
      for (const { reject } of this.#waiting.values()) reject(new Unavailable('thread_failed', message));
      this.#waiting.clear();
    });
    this.#worker = worker;
    return worker;
  }
}
