/** Time and timers, so that tests can let time pass. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once after so many milliseconds. Returns a function that prevents it. */
  after(milliseconds: number, call: () => void): () => void;
}

/** Timers do not keep the process. */
export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.max(0, Math.min(milliseconds, 2 ** 31 - 1))).unref();
    return () => clearTimeout(timer);
  },
};
