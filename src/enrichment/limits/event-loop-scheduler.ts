/**
 * Milliseconds of work in one iteration of the event loop, after which further tasks wait for the
 * next.
 */
const BUDGET = 10;
/** Tasks that may begin in one iteration before any of them has taken time. */
const MAX_TASKS = 8;

/**
 * Spreads tasks of some milliseconds over iterations of the event loop. Without it, tasks that arrive
 * together would block timers, health checks and small requests until all of them are done.
 */
export class EventLoopScheduler {
  #began: number | undefined;
  #tasks = 0;
  readonly #waiting: (() => void)[] = [];

  /** Returns undefined when a task may begin at once, else a promise that resolves when it may, in order. */
  next(): Promise<void> | undefined {
    const now = performance.now();
    if (this.#began === undefined) {
      this.#begin(now);
      return undefined;
    }
    const hasTime = this.#waiting.length === 0 && this.#tasks < MAX_TASKS && now - this.#began < BUDGET;
    if (hasTime) {
      this.#tasks += 1;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #begin(now: number): void {
    this.#began = now;
    this.#tasks = 1;
    setImmediate(() => {
      this.#began = undefined;
      const first = this.#waiting.shift();
      if (first === undefined) return;
      this.#begin(performance.now());
      first();
    });
  }
}
