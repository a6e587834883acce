import { Worker } from 'node:worker_threads';
import type { ThreadCall, ThreadMessage, ThreadStart } from './thread/messages.ts';

export interface ExtensionEvents {
  log(level: 'info' | 'warn' | 'error', message: string, fields: string): void;
  /** Something was thrown where nothing waits for it: in a timer, or in a promise of its own. */
  problem(problem: string): void;
  /** The extension added a type. */
  type(key: string, regex: string | null): void;
  /** The thread ended, though it was not stopped. */
  ended(reason: string): void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The thread did not answer in time. */
export class ExtensionLate extends Error {}

/** Megabytes of objects that an extension may hold. Its thread alone ends above. */
const MAX_MEMORY = 512;
/** Milliseconds in which a thread that is not occupied answers. */
const PING_TIMEOUT = 5_000;
/** Characters of a line of output that are logged. */
const MAX_LINE = 10_000;

/** The thread of one extension. Ends by itself when an endless loop occupies it. */
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
      stream.setEncoding('utf8').on('data', (lines: string) => {
        for (const line of lines.split('\n')) {
          if (line.trim() !== '') events.log(level, line.slice(0, MAX_LINE), '{}');
        }
      });
    }
    worker.on('message', (message: ThreadMessage) => this.#receive(message));
    worker.on('error', (error) => this.#finish(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (status) => this.#finish(`its thread ended with status ${status}`));
    // The listeners of the services keep the program alive, not an extension.
    worker.unref();
  }

  /** @throws Error with what the extension threw; ExtensionLate after `timeout` milliseconds */
  async call(message: ThreadCall, timeout: number): Promise<unknown> {
    if (this.#end !== undefined) throw new Error(this.#end);
    this.#lastCall += 1;
    const call = this.#lastCall;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call, { resolve, reject });
    const timer = setTimeout(() => reject(new ExtensionLate(`no answer within ${timeout / 1000} s`)), timeout);
    this.#worker.postMessage({ ...message, call });
    try {
      return await promise;
    } catch (error) {
      if (error instanceof ExtensionLate && message.kind !== 'ping') void this.#stopIfOccupied();
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
