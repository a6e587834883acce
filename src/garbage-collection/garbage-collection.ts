import { getHeapStatistics } from 'node:v8';
import { collectGarbage } from './collect-garbage.ts';

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
 * stays as large until it is busy again; measured 45 s after 325 searches: 188 MB instead of 260. Keeps no process
 * alive.
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
