import { Worker } from 'node:worker_threads';
import { OutputLines } from './output-lines.ts';
import type { ThreadCall, ThreadMessage, ThreadStart } from './thread/messages.ts';

export interface ExtensionEvents {
  log(level: 'info' | 'warn' | 'error', message: string, fields: string): void;
  /** The extension threw outside of a call: in a timer, or in a promise that nothing awaits. */
  problem(problem: string): void;
  /** The extension added a type. */
  type(key: string, regex: string | null): void;
  /** The thread ended without being stopped. */
  ended(reason: string): void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The thread of an extension did not answer in time. */
export class ExtensionTimeout extends Error {}

/** Megabytes of objects that an extension may hold. Above, its thread ends. */
const MAX_MEMORY = 512;
/** Milliseconds within which a thread answers unless an endless loop occupies it. */
const PING_TIMEOUT = 5_000;
/** Characters of a line of output that are logged. */
const MAX_LINE = 10_000;

/** The thread of one extension, which is ended when an endless loop occupies it. */
export class ExtensionWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #events: ExtensionEvents;
  #lastCall = 0;
  #end: string | undefined;
  #isStopped = false;

  constructor(start: ThreadStart, events: ExtensionEvents) {
    this.#events = events;
    const worker = new Worker(new URL('./thread/extension-thread.ts', import.meta.url), {
      workerData: start,
      name: `extension ${start.entry}`,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY },
    });
    this.#worker = worker;
    for (const [stream, level] of [
      [worker.stdout, 'info'],
      [worker.stderr, 'warn'],
    ] as const) {
      const lines = new OutputLines((line) => events.log(level, line, '{}'), MAX_LINE);
      stream
        .setEncoding('utf8')
        .on('data', (chunk: string) => lines.add(chunk))
        .once('end', () => lines.end());
    }
    worker.on('message', (message: ThreadMessage) => this.#receive(message));
    worker.on('error', (error) => this.#finish(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (status) => this.#finish(`its thread ended with status ${status}`));
    // The listeners of the services keep the program alive, not an extension.
    worker.unref();
  }

  /** @throws Error with what the extension threw; ExtensionTimeout after `timeout` milliseconds */
  async call(message: ThreadCall, timeout: number): Promise<unknown> {
    if (this.#end !== undefined) throw new Error(this.#end);
    this.#lastCall += 1;
    const call = this.#lastCall;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call, { resolve, reject });
    const timer = setTimeout(() => reject(new ExtensionTimeout(`no answer within ${timeout / 1000} s`)), timeout);
    this.#worker.postMessage({ ...message, call });
    try {
      return await promise;
    } catch (error) {
      if (error instanceof ExtensionTimeout && message.kind !== 'ping') void this.#stopIfOccupied();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(call);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker.terminate();
  }

  async #stopIfOccupied(): Promise<void> {
    try {
      await this.call({ kind: 'ping' }, PING_TIMEOUT);
    } catch {
      this.#finish('an endless loop occupied its thread');
      await this.#worker.terminate();
    }
  }

  #receive(message: ThreadMessage): void {
    if ('call' in message) {
      const waiting = this.#waiting.get(message.call);
      if ('result' in message) waiting?.resolve(message.result);
      else waiting?.reject(new Error(message.problem));
    } else if (message.event === 'log') this.#events.log(message.level, message.message, message.fields);
    else if (message.event === 'problem') this.#events.problem(message.problem);
    else this.#events.type(message.key, message.regex);
  }

  #finish(reason: string): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
    if (!this.#isStopped) this.#events.ended(reason);
  }
}
