/** People who wait for something of a name, first come first served. */
export class WaitQueue {
  readonly #waiting = new Map<string, Set<() => void>>();
  #closed = false;

  /** Resolves when `wake` reaches this caller, after `milliseconds`, or at once when the line is closed. */
  wait(name: string, milliseconds: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const line = this.#waiting.get(name) ?? new Set();
      const leave = (): void => {
        clearTimeout(timer);
        line.delete(leave);
        if (line.size === 0) this.#waiting.delete(name);
        resolve();
      };
      const timer = setTimeout(leave, milliseconds);
      line.add(leave);
      this.#waiting.set(name, line);
    });
  }

  wake(name: string, count: number): void {
    const line = this.#waiting.get(name);
    if (line === undefined) return;
    for (const leave of [...line].slice(0, count)) leave();
  }

  close(): void {
    this.#closed = true;
    for (const line of [...this.#waiting.values()]) for (const leave of [...line]) leave();
  }

  get closed(): boolean {
    return this.#closed;
  }
}
