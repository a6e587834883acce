import { setTimeout as sleep } from 'node:timers/promises';

export interface ColumnLagOptions {
  /** Number of the newest write that was answered. */
  readonly written: () => number;
  /** Number up to which writes are applied to the columns. */
  readonly applied: () => number;
}

/** A search that finds so many writes pending waits for them for seconds. */
const MAX_PENDING = 30_000;
const LOOK_EVERY = 20;
/** Writes go on, slowly, also when the columns do not follow at all. Milliseconds. */
const MAX_DELAY = 250;

/** Slows those down who write more than the columns can follow, so that searches stay quick. */
export class ColumnLag {
  readonly #options: ColumnLagOptions;

  constructor(options: ColumnLagOptions) {
    this.#options = options;
  }

  async wait(): Promise<void> {
    for (let waited = 0; waited < MAX_DELAY && this.#pending > MAX_PENDING; waited += LOOK_EVERY) {
      await sleep(LOOK_EVERY);
    }
  }

  get #pending(): number {
    const applied = this.#options.applied();
    // Nothing is known before the columns have reported.
    return applied === 0 ? 0 : this.#options.written() - applied;
  }
}
