import { setTimeout as pause } from 'node:timers/promises';

/** Time, as the runner sees it. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970. */
  now(): number;
  /** Milliseconds since any fixed moment; never goes back. */
  elapsed(): number;
  /** @throws `signal.reason` when it aborts first */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(milliseconds, signal) {
    try {
      await pause(milliseconds, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
