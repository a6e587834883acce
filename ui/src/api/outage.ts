import { Store } from '../state/store.ts';
import { Pauses } from './pauses.ts';

export interface OutageOptions {
  /** Returns whether the server at an origin answers. */
  readonly isAnswering: (origin: string) => Promise<boolean>;
  /** Milliseconds before the second question; later pauses are twice as long each. */
  readonly firstPause: number;
}

/** Milliseconds between two questions, at most. */
const MAX_PAUSE = 15_000;

/** Asks a server that did not answer again and again until it does, once for all who wait for that. */
export class Outage {
  /** Time of the next question in milliseconds since 1970; undefined: there is no outage. */
  readonly nextTry = new Store<number | undefined>(undefined);
  readonly #options: OutageOptions;
  readonly #pauses = new Pauses();
  #asking: Promise<boolean> | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Asks the server, and resolves once it answers: at once to false, after an outage to true. */
  whenOver(origin: string): Promise<boolean> {
    this.#asking ??= this.#ask(origin).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Ends the pause before the next question. */
  askNow(): void {
    this.#pauses.end();
  }

  async #ask(origin: string): Promise<boolean> {
    const { isAnswering, firstPause } = this.#options;
    for (let failures = 0; ; failures += 1) {
      if (await isAnswering(origin)) {
        this.nextTry.set(undefined);
        return failures > 0;
      }
      // The pages of many readers lose the same server at the same moment.
      const pause = Math.min(firstPause * 2 ** failures, MAX_PAUSE) * (0.75 + Math.random() / 2);
      this.nextTry.set(Date.now() + pause);
      await this.#pauses.wait(pause);
    }
  }
}
