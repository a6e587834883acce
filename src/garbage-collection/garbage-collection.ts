import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface IdleCollectionOptions {
  /** Milliseconds between looks at what the thread does. Default 10,000. */
  readonly interval?: number;
  /** Default `collectGarbage`. */
  readonly collect?: () => void;
  /** Share of the time since the last call in which the thread computed. Default: of its event loop. */
  readonly utilization?: () => number;
  /** Bytes that the heap of the thread takes. Default: what V8 says. */
  readonly heapSize?: () => number;
}

/** A thread that computes for a smaller share of the time than this is idle. */
const IDLE_BELOW = 0.02;
/** Heap growth in bytes since the last collection that justifies the pause. */
const GROWTH = 16 * 1024 * 1024;

/**
 * Collects the garbage of the calling thread whenever it is idle and its heap has grown.
 * Otherwise V8 keeps the memory of a load. Measured 45 s after 325 searches: 188 MB instead of 260.
 */
export function collectWhenIdle(options: IdleCollectionOptions = {}): { stop(): void } {
  const { interval = 10_000, collect = collectGarbage, utilization = eventLoopMeter() } = options;
  const { heapSize = () => getHeapStatistics().total_heap_size } = options;
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

/** The only collection that returns the space of young objects regardless of recent allocations. */
const THOROUGHLY = { type: 'major', flavor: 'last-resort' };

/**
 * Collects the garbage of this thread, and what V8 keeps for young objects, up to 64 MB.
 * The thread stands still for 75 ms at 40 MB in use. Does nothing while another thread collects in this way.
 */
export function collectGarbage(): void {
  // The flag is taken back at once: compiled code is kept for one set of flags alone, and would be of no use at the next start.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  // The flag is one for all threads.
  if (typeof collect === 'function') collect(THOROUGHLY);
}
