import type { Worker } from 'node:worker_threads';
import { type ErrorKind, isTriadError, TriadError } from '../../errors/errors.ts';

/** Describes an error as plain data, which crosses threads. */
export interface Failure {
  readonly kind: ErrorKind | 'defect';
  readonly code: string;
  readonly message: string;
  readonly at?: string | number | undefined;
  readonly retryAfter?: number | undefined;
}

export type Outcome = { readonly result: unknown } | { readonly failure: Failure };
export type Answer = Outcome & { readonly id: number };

export type ArgumentsOf<T, M extends keyof T> = T[M] extends (...args: infer A) => unknown ? A : never;
export type ResultOf<T, M extends keyof T> = T[M] extends (...args: never[]) => infer R ? Awaited<R> : never;
export type CallOf<T, M extends keyof T> = {
  [N in M]: { readonly method: N; readonly args: ArgumentsOf<T, N> };
}[M];

/** Messages of a thread: answers, together with what else it reports. */
export interface FromThread<Event> {
  readonly answers?: readonly Answer[];
  readonly event?: Event;
}

export interface WorkerCallsOptions<Event> {
  readonly onEvent: (event: Event) => void;
  /** Called once with the error that ended the thread. */
  readonly onError: (error: Error) => void;
  /** Creates the error of the calls that the thread can no longer answer. */
  readonly lost: () => Error;
}

/** Sends calls to a worker thread and matches its answers. */
export class WorkerCalls<Call, Event> {
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #options: WorkerCallsOptions<Event>;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #hasEnded = false;

  constructor(worker: Worker, options: WorkerCallsOptions<Event>) {
    this.#worker = worker;
    this.#options = options;
    worker.on('message', (message: FromThread<Event>) => this.#receive(message));
    worker.on('error', options.onError);
    this.ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#hasEnded = true;
        for (const waiting of this.#waiting.values()) waiting.reject(options.lost());
        this.#waiting.clear();
        resolve();
      });
    });
  }

  call(call: Call): { readonly id: number; readonly answer: Promise<unknown> } {
    this.#lastId += 1;
    const id = this.#lastId;
    if (this.#hasEnded) return { id, answer: Promise.reject(this.#options.lost()) };
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ ...call, id });
    return { id, answer: waiting.promise };
  }

  #receive({ answers = [], event }: FromThread<Event>): void {
    if (event !== undefined) this.#options.onEvent(event);
    for (const answer of answers) {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ('failure' in answer) waiting?.reject(errorFrom(answer.failure));
      else waiting?.resolve(answer.result);
    }
  }
}

export function invoke<T, M extends keyof T>(target: T, method: M, args: ArgumentsOf<T, M>): ResultOf<T, M> {
  return (target[method] as (...args: unknown[]) => ResultOf<T, M>).apply(target, args);
}

export function failureOf(error: unknown): Failure {
  if (isTriadError(error)) {
    const { kind, code, message, at, retryAfter } = error;
    return { kind, code, message, at, retryAfter };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'defect', code: 'defect', message };
}

export function errorFrom(failure: Failure): Error {
  return failure.kind === 'defect' ? new Error(failure.message) : new DescribedError(failure, failure.kind);
}

class DescribedError extends TriadError {
  readonly kind: ErrorKind;

  constructor({ code, message, at, retryAfter }: Failure, kind: ErrorKind) {
    super(code, message, { at, ...(retryAfter === undefined ? {} : { retryAfter }) });
    this.kind = kind;
  }
}
