import { Unavailable } from '../../errors/errors.ts';

export interface FairSemaphoreOptions {
  /** How many work at the same time. */
  readonly places: number;
  /** How many may wait. */
  readonly maxWaiting: number;
}

/**
 * Lets few work at a time, and those who wait in turns of one each: whoever sends a thousand waits for themselves, and another, who sends
 * one, for one of theirs.
 */
export class FairSemaphore {
  readonly #dependencies: FairSemaphoreOptions;
  /** By who waits, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #working = 0;
  #count = 0;

  constructor(dependencies: FairSemaphoreOptions) {
    this.#dependencies = dependencies;
  }

  /**
   * The result of `work`, when it is the turn of `who`.
   * @throws Unavailable `too_many_logins` when too many wait already
   */
  async take<T>(who: string, work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#dependencies.places) this.#working += 1;
    else await this.#wait(who);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #wait(who: string): Promise<void> {
    if (this.#count >= this.#dependencies.maxWaiting) {
      throw new Unavailable(
        'too_many_logins',
        'More people sign in than this server can check passwords for. Try again in a moment.',
        { retryAfter: 5 },
      );
    }
    this.#count += 1;
    return new Promise((resume) => {
      const queue = this.#waiting.get(who);
      if (queue === undefined) this.#waiting.set(who, [resume]);
      else queue.push(resume);
    });
  }

  /** Hands the place to whoever is next. */
  #next(): void {
    const first = this.#waiting.entries().next();
    if (first.done) {
      this.#working -= 1;
      return;
    }
    const [who, queue] = first.value;
    const resume = queue.shift();
    this.#waiting.delete(who);
    if (queue.length > 0) this.#waiting.set(who, queue);
    this.#count -= 1;
    resume?.();
  }
}
