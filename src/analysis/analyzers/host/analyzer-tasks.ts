import type { Task, TaskPoll } from '../../dispatching/task.ts';

export interface AnalyzerTasksDependencies {
  readonly dispatcher: { nextTask(poll: TaskPoll): Promise<Task | undefined> };
  /** Names and versions of the services that are polled for now. */
  readonly services: () => Promise<readonly { readonly name: string; readonly version: string }[]>;
  readonly worker: string;
  readonly failed: (error: unknown) => void;
  /** Milliseconds of one poll. Default 20,000. */
  readonly wait?: number;
  /** Milliseconds between two looks at which services there are, and after a failure. Default 2,000. */
  readonly interval?: number;
}

type Waiter = (task: Task | undefined) => void;

/**
 * Gives tasks of all built-in services to runners.
 * A task that is handed out has a deadline, so it polls only while a runner waits, for every service at once, and
 * begins with another service each time. What arrives beyond that is kept for the next runner.
 */
export class AnalyzerTasks {
  readonly #dependencies: AnalyzerTasksDependencies;
  readonly #polls = new Map<string, AbortController>();
  readonly #waiters: Waiter[] = [];
  readonly #kept: Task[] = [];
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  #stopped = false;

  constructor(dependencies: AnalyzerTasksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Waits for a task of any service; undefined after `stop`. */
  async next(): Promise<Task | undefined> {
    if (this.#stopped) return undefined;
    const kept = this.#kept.shift();
    if (kept !== undefined) return kept;
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      void this.#poll();
    });
  }

  /** Ends all polls. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#abortPolls();
    for (const waiter of this.#waiters.splice(0)) waiter(undefined);
  }

  /** Begins a poll for every service that has none, and looks again after a while for new services. */
  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const services = await this.#dependencies.services();
      if (this.#waiters.length === 0 || this.#stopped) return;
      this.#turn += 1;
      for (let index = 0; index < services.length; index += 1) {
        const service = services[(index + this.#turn) % services.length];
        if (service !== undefined && !this.#polls.has(service.name)) void this.#pollFor(service);
      }
    } catch (error) {
      this.#dependencies.failed(error);
    }
    this.#lookLater();
  }

  async #pollFor({ name, version }: { readonly name: string; readonly version: string }): Promise<void> {
    const { dispatcher, worker, wait = 20_000, failed } = this.#dependencies;
    const poll = new AbortController();
    this.#polls.set(name, poll);
    try {
      const { signal } = poll;
      const task = await dispatcher.nextTask({ service: name, version, worker, wait, signal, isLocal: true });
      this.#polls.delete(name);
      if (task !== undefined) this.#hand(task);
      else if (this.#waiters.length > 0) void this.#poll();
    } catch (error) {
      this.#polls.delete(name);
      if (!poll.signal.aborted) failed(error);
      this.#lookLater();
    }
  }

  #hand(task: Task): void {
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#kept.push(task);
    else waiter(task);
    if (this.#waiters.length === 0) this.#abortPolls();
    else void this.#poll();
  }

  #lookLater(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#waiters.length === 0) return;
    this.#timer = setTimeout(() => void this.#poll(), this.#dependencies.interval ?? 2000).unref();
  }

  #abortPolls(): void {
    for (const poll of this.#polls.values()) poll.abort();
  }
}
