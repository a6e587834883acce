/** Milliseconds after the last input for which requests count as those of a person. */
export const ATTENTION_MS = 60_000;

const INPUTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove'] as const;

/** Knows when a person last used this page, so that what it reads by itself keeps no session alive. */
export class Activity {
  readonly #now: () => number;
  /** To open a page is an act. */
  #last: number;

  /** @param now returns milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#last = now();
  }

  /** Follows the inputs of a window. */
  follow(target: EventTarget): void {
    const note = () => this.note();
    for (const input of INPUTS) target.addEventListener(input, note, { capture: true, passive: true });
  }

  note(): void {
    this.#last = this.#now();
  }

  /** True where the last input is so long ago that the page reads by itself. */
  isAbsent(): boolean {
    return this.#now() - this.#last > ATTENTION_MS;
  }
}

export const activity = new Activity();
if (typeof window !== 'undefined') activity.follow(window);
