/** Pauses that end after their time, or all at once when waiting is over. */
export class Pauses {
  readonly #ends = new Set<() => void>();

  /** Resolves after a time, or at `end`. @throws the reason of a signal that is aborted */
  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    this.#ends.add(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#ends.delete(resolve);
    }
  }

  /** Ends every pause now. */
  end(): void {
    for (const end of this.#ends) end();
  }
}
