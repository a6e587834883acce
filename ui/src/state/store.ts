/**
 * Holds one value of this window and reports its changes. `read` and `subscribe` are what
 * `useSyncExternalStore` takes; `useStore` passes them.
 */
export class Store<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  /** Returns the present value; the same one until it changes. */
  readonly read = (): Value => this.#value;

  /** Calls the listener after each change. Returns what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Replaces the value. The same one is no change. */
  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}
