import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface IdleCollectionOptions {
  /** Milliseconds between looks at what the thread does. Default 10,000. */
  readonly interval?: number;
  /** Default `collectGarbage`. */
  readonly collect?: () => void;
  /**
   * Share of the time since the last call in which the thread computed, 0 to 1.
   * Default: that of its event loop.
   */
  readonly utilization?: () => number;
  /** Bytes that the heap of the thread takes. Default: what V8 says. */
  readonly heapSize?: () => number;
}

/** A thread that computes for a smaller share of the time than this is idle. */
const IDLE_BELOW = 0.02;
/** Heap growth in bytes since the last collection that justifies the pause. */
const GROWTH = 16 * 1024 * 1024;

/**
 * Collects the garbage of the calling thread when it had next to nothing to do between two looks and
 * its heap has grown since the last time: after the start, and after loads. Without it a process that was busy once
 * stays as large until it is busy again; measured 45 s after 325 searches: 188 MB instead of 260, and on a loaded machine after 20,000
 * alerts and 324 searches 253 instead of 355. Keeps no process alive.
 */
export function collectWhenIdle(options: IdleCollectionOptions = {}): { stop(): void } {
  const { interval = 10_000, collect = collectGarbage, utilization = eventLoopMeter(), heapSize = totalHeap } = options;
  let sizeThen = 0;
  const timer = setInterval(() => {
    if (utilization() >= IDLE_BELOW || heapSize() < sizeThen + GROWTH) return;
    collect();
    sizeThen = heapSize();
  }, interval).unref();
  return { stop: () => clearInterval(timer) };
}

function eventLoopMeter(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

function totalHeap(): number {
  return getHeapStatistics().total_heap_size;
}

/**
 * The collection that V8 runs as its last resort.
 * No other kind returns the space of young objects regardless of recent allocations.
 */
const THOROUGHLY = { type: 'major', flavor: 'last-resort' };

/**
 * Collects the garbage of the calling thread now, and with it gives back what V8 keeps for young
 * objects: up to 64 MB once a thread was busy, and V8 gives none of it back by itself while nothing is allocated. The
 * thread stands still meanwhile, 75 ms for 40 MB in use. Where another thread does the same at this very moment,
 * nothing happens.
 */
export function collectGarbage(): void {
  // The flag is taken back at once: compiled code is kept for one set of flags alone, and would be of no use at the next start.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  // The flag is one for all threads.
  if (typeof collect === 'function') collect(THOROUGHLY);
}
