export interface FairSemaphoreOptions {
  /** Limit of running work. */
  readonly slots: number;
  /** Limit of the running work of one caller. Default: `slots`. */
  readonly slotsOfCaller?: number;
  /** Limit of waiting work. */
  readonly maxWaiting: number;
  /** Limit of the waiting work of one caller. Default: `maxWaiting`. */
  readonly maxWaitingOfCaller?: number;
  /** Returns the error when too many wait. */
  readonly refusal: () => Error;
}

interface Waiter {
  resume(): void;
}

/**
 * Limits concurrent work. Callers are served in turn, so that a caller with a long queue delays only
 * their own work.
 */
export class FairSemaphore {
  readonly #options: Required<FairSemaphoreOptions>;
  /** Waiting work by caller, in the order of the callers' turns. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #waitingCount = 0;

  constructor(options: FairSemaphoreOptions) {
    const { slots, maxWaiting } = options;
    this.#options = { slotsOfCaller: slots, maxWaitingOfCaller: maxWaiting, ...options };
  }

  /** Work that waits for a slot. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** Work that holds a slot. */
  get running(): number {
    return this.#running;
  }

  /** Returns whether work of this caller would start at once. */
  isFreeFor(who: string): boolean {
    const { slots, slotsOfCaller } = this.#options;
    return this.#running < slots && (this.#runningOf.get(who) ?? 0) < slotsOfCaller;
  }

  /**
   * Runs `work` as soon as a slot is free for `who`, and holds the slot until `work` settles.
   * @throws the refusal when too many wait; the reason of `signal` when it aborts before the work starts
   */
  async run<T>(who: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.isFreeFor(who)) this.#acquire(who);
    else await this.#wait(who, signal);
    try {
      return await work();
    } finally {
      this.#release(who);
    }
  }

  #acquire(who: string): void {
    this.#running += 1;
    this.#runningOf.set(who, (this.#runningOf.get(who) ?? 0) + 1);
  }

  #release(who: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(who) ?? 1) - 1;
    if (left === 0) this.#runningOf.delete(who);
    else this.#runningOf.set(who, left);
    this.#resumeNext();
  }

  #wait(who: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitingOfCaller, refusal } = this.#options;
    const queue = this.#waiting.get(who) ?? new Set<Waiter>();
    if (this.#waitingCount >= maxWaiting || queue.size >= maxWaitingOfCaller) throw refusal();
    this.#waiting.set(who, queue);
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', abort);
        this.#waitingCount -= 1;
        queue.delete(waiter);
        if (queue.size === 0) this.#waiting.delete(who);
      };
      const abort = () => {
        leave();
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        resume: () => {
          leave();
          this.#acquire(who);
          resolve();
        },
      };
      queue.add(waiter);
      this.#waitingCount += 1;
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Gives the slot to the first caller in turn who may hold one more; that caller's next turn is last. */
  #resumeNext(): void {
    for (const [who, queue] of this.#waiting) {
      if (!this.isFreeFor(who)) continue;
      const [first] = queue;
      this.#waiting.delete(who);
      if (queue.size > 1) this.#waiting.set(who, queue);
      first?.resume();
      return;
    }
  }
}
