/** A lock with shared and exclusive holders. A waiting exclusive holder precedes later shared ones. */
export class ReadWriteLock {
  #sharing = 0;
  #last: Promise<void> = Promise.resolve();
  #drained: (() => void) | undefined;

  async shared<R>(work: () => Promise<R>): Promise<R> {
    let before: Promise<void>;
    do {
      before = this.#last;
      await before;
    } while (before !== this.#last);
    this.#sharing += 1;
    try {
      return await work();
    } finally {
      this.#sharing -= 1;
      if (this.#sharing === 0) this.#drained?.();
    }
  }

  async exclusive<R>(work: () => Promise<R>): Promise<R> {
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = turn.promise;
    try {
      await before;
      if (this.#sharing > 0) {
        await new Promise<void>((resolve) => {
          this.#drained = resolve;
        });
        this.#drained = undefined;
      }
      return await work();
    } finally {
      turn.resolve();
    }
  }
}
