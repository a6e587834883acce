import { Unavailable } from '../../errors/errors.ts';

/** Counts what is under way, so that closing can wait for it, and refuses what begins later. */
export class OpenWork {
  #begun = 0;
  #ending = false;
  readonly #ended = Promise.withResolvers<void>();

  /** @throws Unavailable `datastore_unavailable`, once `end` was called */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ending) throw new Unavailable('datastore_unavailable', 'The datastore is closed. Open it again.');
    this.#begun += 1;
    try {
      return await work();
    } finally {
      this.#begun -= 1;
      if (this.#ending && this.#begun === 0) this.#ended.resolve();
    }
  }

  async end(): Promise<void> {
    this.#ending = true;
    if (this.#begun === 0) this.#ended.resolve();
    await this.#ended.promise;
  }

  /** Wraps an object so that its calls are counted, and each batch of the methods in `batched`. */
  track<T extends object>(target: T, batched: readonly (keyof T)[]): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== 'function') return value;
        const isBatched = batched.some((one) => one === name);
        return (...given: unknown[]) =>
          isBatched
            ? this.#batches(() => Reflect.apply(value, object, given))
            : this.during(async () => Reflect.apply(value, object, given));
      },
    });
  }

  /** Closing does not wait for a reader that never comes back for more. */
  async *#batches<T>(read: () => AsyncIterable<T>): AsyncIterable<T> {
    const iterator = read()[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.during(() => iterator.next());
        if (done === true) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}
