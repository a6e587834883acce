/** Milliseconds without an open request after which a page has what it asked for. */
const IDLE_MS = 250;
/** Milliseconds after which waiting ends, however busy the page is. */
const MAX_WAIT_MS = 4_000;

/** Knows whether requests of this page are open, so that what no reader waits for yet comes after them. */
export class OpenRequests {
  #open = 0;
  #lastEnd: number;
  readonly #now: () => number;

  /** @param now returns milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#lastEnd = now();
  }

  /** Counts a request until it ends. */
  async during<Result>(request: Promise<Result>): Promise<Result> {
    this.#open += 1;
    try {
      return await request;
    } finally {
      this.#open -= 1;
      this.#lastEnd = this.#now();
    }
  }

  /** Returns the milliseconds until the page counts as idle; 0 when it is. */
  remainingMs(): number {
    if (this.#open > 0) return IDLE_MS;
    return Math.max(0, IDLE_MS - (this.#now() - this.#lastEnd));
  }
}

export const openRequests = new OpenRequests();

/** Resolves when the page has shown what it asked for and the browser has nothing else to do. */
export async function whenIdle(requests: OpenRequests = openRequests): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  for (let left = requests.remainingMs(); left > 0 && performance.now() < end; left = requests.remainingMs()) {
    await new Promise((resolve) => setTimeout(resolve, left));
  }
  await new Promise<unknown>((resolve) => {
    // Safari and Node have no requestIdleCallback.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: MAX_WAIT_MS });
    else setTimeout(resolve, 0);
  });
}
