/** Frames that a client may send at once, and have in work. */
const BURST = 100;
/** Frames a second in the long run: people and their pages send a few. */
const RATE = 20;

/** Limits the frames of one connection, pings of the client included. */
export class FrameLimit {
  readonly #now: () => number;
  #allowance = BURST;
  #counted: number;
  #inWork = 0;

  /** @param now milliseconds, any origin */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#counted = now();
  }

  /** Counts a frame; returns whether it is within the limit. */
  count(): boolean {
    const now = this.#now();
    this.#allowance = Math.min(BURST, this.#allowance + ((now - this.#counted) / 1000) * RATE) - 1;
    this.#counted = now;
    return this.#allowance >= 0 && this.#inWork < BURST;
  }

  /** Begins the work for a frame; the function that it returns ends it. */
  begin(): () => void {
    this.#inWork += 1;
    return () => {
      this.#inWork -= 1;
    };
  }
}
