import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests a second from which on other work may have to wait. */
const BURST = 60;
/** Milliseconds over which requests are counted: older ones count less and less. */
const MEMORY = 500;
/** Share of the time in which the event loop works, from which on there is no room beside a burst. */
const BUSY = 0.5;
/** Milliseconds over which that share is measured. */
const WINDOW = 50;
/** Milliseconds that other work waits for the end of a burst. */
const PATIENCE = 1000;

export interface ArrivalsOptions {
  /** Milliseconds; for tests. */
  readonly now?: () => number;
  /** Waits, and returns the share of the time in which the event loop worked; for tests. */
  readonly utilizationDuring?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<number>;
}

/**
 * Counts requests that bring files, so that the analysis of files in bulk waits for a burst.
 * It waits while the event loop has no time for both, at most a second. Accepting a file takes 5 ms of processor
 * time, analysing it 15: beside a burst, ingest accepted 118 files a second of the 300 that two cores can.
 */
export class Arrivals {
  readonly #now: () => number;
  readonly #utilizationDuring: NonNullable<ArrivalsOptions['utilizationDuring']>;
  /** Requests that count, at the time of the last one. */
  #count = 0;
  #last = 0;

  constructor({ now = () => performance.now(), utilizationDuring = eventLoopUtilization }: ArrivalsOptions = {}) {
    this.#now = now;
    this.#utilizationDuring = utilizationDuring;
  }

  /** Counts a request. */
  note(): void {
    const now = this.#now();
    this.#count = this.#countAt(now) + 1;
    this.#last = now;
  }

  /** Waits for room beside a burst. Returns false when there is none for long: little work is due. */
  async room(signal?: AbortSignal): Promise<boolean> {
    const end = this.#now() + PATIENCE;
    while ((this.#countAt(this.#now()) * 1000) / MEMORY >= BURST) {
      if ((await this.#utilizationDuring(WINDOW, signal)) < BUSY || signal?.aborted === true) return true;
      if (this.#now() >= end) return false;
    }
    return true;
  }

  #countAt(now: number): number {
    return this.#count * Math.exp((this.#last - now) / MEMORY);
  }
}

async function eventLoopUtilization(milliseconds: number, signal: AbortSignal | undefined): Promise<number> {
  const before = performance.eventLoopUtilization();
  await sleep(milliseconds, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined);
  return performance.eventLoopUtilization(before).utilization;
}
