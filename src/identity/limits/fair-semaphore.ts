interface FairSemaphoreOptions {
  /** Limit of running work. */
  readonly places: number;
  /** Limit of waiting work. */
  readonly maxWaiting: number;
  /** Returns the error when too many wait. */
  readonly refusal: () => Error;
}

/** Limits concurrent work. Callers take turns, so that one long queue does not delay the others. */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  /** Resumes waiting work, by caller in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #working = 0;
  #count = 0;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
  }

  /** Runs `work` when it is the turn of `who`. @throws the refusal when too many wait */
  async take<T>(who: string, work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#options.places) this.#working += 1;
    else await this.#wait(who);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #wait(who: string): Promise<void> {
    if (this.#count >= this.#options.maxWaiting) {
      throw this.#options.refusal();
    }
    this.#count += 1;
    return new Promise((resume) => {
      const queue = this.#waiting.get(who);
      if (queue === undefined) this.#waiting.set(who, [resume]);
      else queue.push(resume);
    });
  }

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
