import { CallRejected } from './call-rejected.ts';

interface SourceTurnsOptions {
  /** Name of the source, for messages. */
  readonly source: string;
  /** Limit of concurrent calls. */
  readonly concurrency: number;
}

/** Limit of waiting calls; a single user may have half of them. */
const MAX_WAITING = 2000;
const MAX_WAITING_OF_A_USER = MAX_WAITING / 2;

interface Waiter {
  readonly who: string;
  resume(): void;
}

/**
 * Limits the concurrent calls to a source. Users take turns, so that a user who sends many calls
 * delays only their own. From two slots on, no user holds the last quarter (at least one slot): calls that hang
 * never lock the other users out.
 */
export class SourceTurns {
  readonly #source: string;
  readonly #concurrency: number;
  readonly #share: number;
  /** Waiting calls by user, in the order of the users' turns. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #held = new Map<string, number>();
  #working = 0;
  #count = 0;

  constructor({ source, concurrency }: SourceTurnsOptions) {
    this.#source = source;
    this.#concurrency = concurrency;
    this.#share = Math.max(1, concurrency - Math.max(1, Math.floor(concurrency / 4)));
  }

  /** Calls that wait for a slot. */
  get waiting(): number {
    return this.#count;
  }

  /** Calls that hold a slot. */
  get working(): number {
    return this.#working;
  }

  /**
   * Runs `work` when it is the turn of `who`. The slot is held until `work` settles.
   * @throws CallRejected `too_many_waiting`; the reason of `signal` when it aborts before the turn
   */
  async take<T>(who: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.isFreeFor(who)) this.#hold(who);
    else await this.#wait(who, signal);
    try {
      return await work();
    } finally {
      this.#release(who);
    }
  }

  /** Returns true when a call of this user would not wait. */
  isFreeFor(who: string): boolean {
    return this.#working < this.#concurrency && (this.#held.get(who) ?? 0) < this.#share;
  }

  #hold(who: string): void {
    this.#working += 1;
    this.#held.set(who, (this.#held.get(who) ?? 0) + 1);
  }

  #release(who: string): void {
    this.#working -= 1;
    const left = (this.#held.get(who) ?? 1) - 1;
    if (left === 0) this.#held.delete(who);
    else this.#held.set(who, left);
    this.#resumeNext();
  }

  #wait(who: string, signal: AbortSignal): Promise<void> {
    const queue = this.#waiting.get(who) ?? new Set<Waiter>();
    if (this.#count >= MAX_WAITING || queue.size >= MAX_WAITING_OF_A_USER) {
      throw new CallRejected(
        'too_many_waiting',
        `Too many calls wait for ${this.#source}. Send fewer requests at the same time.`,
      );
    }
    this.#waiting.set(who, queue);
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', abort);
        this.#count -= 1;
        queue.delete(waiter);
        if (queue.size === 0) this.#waiting.delete(who);
      };
      const abort = () => {
        leave();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        who,
        resume: () => {
          leave();
          this.#hold(who);
          resolve();
        },
      };
      queue.add(waiter);
      this.#count += 1;
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Gives the slot to the first user in turn who may hold one more; that user's next turn comes last. */
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
