/**
 * Runs the changes of one person one after the other. A change may be made before the answer to an
 * earlier one is shown: what earlier changes wrote counts as seen, and is no conflict with oneself.
 */
export class OwnChanges<Values extends object> {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #written: Partial<Values> = {};

  /**
   * @param seen the members as they are shown
   * @param write gets the seen members with those that were written meanwhile; resolves to whether it wrote
   */
  run(seen: Values, change: Values, write: (seen: Values) => Promise<boolean>): Promise<boolean> {
    if (this.#waiting === 0) this.#written = {};
    this.#waiting += 1;
    const result = this.#last.then(async () => {
      try {
        const isWritten = await write({ ...seen, ...this.#written });
        if (isWritten) this.#written = { ...this.#written, ...change };
        return isWritten;
      } finally {
        this.#waiting -= 1;
      }
    });
    // A change that failed does not stop the ones after it.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
