import { MAX_OFFSET_ROWS, PAGE_ROWS } from './result-window.ts';

/** Counts of a date field of one search, times in ms. */
export interface DateCounts {
  /** Returns the first and the last time; undefined when no document has the field. */
  bounds(signal: AbortSignal): Promise<readonly [first: number, last: number] | undefined>;
  /**
   * Returns the counts from `start` to `end`, both included, in steps of `gap` ms, by the begin of the
   * step. Steps begin at multiples of `gap`, the first one at or before `start`.
   */
  steps(start: number, end: number, gap: number, signal: AbortSignal): Promise<ReadonlyMap<number, number>>;
}

export interface Place {
  /** Lucene filter that leaves the document of the index and those after it, by the sort. */
  readonly filter: string;
  readonly offset: number;
}

/** Steps of a histogram; the service allows 100. */
const STEPS = 90;
const MAX_DEPTH = 8;

/**
 * Finds the place of an index in a result that is sorted by a date, by counting in finer and finer
 * steps. Undefined where the documents lie so close that a step of one second holds more than the
 * reach of offsets, or behind the last document with that date.
 */
export async function placeOf(
  index: number,
  { field, direction }: { readonly field: string; readonly direction: 'asc' | 'desc' },
  counts: DateCounts,
  signal: AbortSignal,
): Promise<Place | undefined> {
  const bounds = await counts.bounds(signal);
  if (bounds === undefined) return undefined;
  let [start, end] = [floorToSecond(bounds[0]), floorToSecond(bounds[1]) + 1000];
  let before = 0;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const gap = Math.max(1000, Math.ceil((end - start) / STEPS / 1000) * 1000);
    const steps = await counts.steps(start, end - 1, gap, signal);
    const begins = stepsBetween(start, end, gap);
    const step = firstReaching(index - before, direction === 'asc' ? begins : begins.toReversed(), steps);
    if (step === undefined) return undefined;
    before += step.before;
    start = Math.max(start, step.begin);
    end = Math.min(end, step.begin + gap);
    const offset = index - before;
    if (offset + PAGE_ROWS <= MAX_OFFSET_ROWS) {
      const range = direction === 'asc' ? `[${isoOf(start)} TO *]` : `[* TO ${isoOf(end)}}`;
      return { filter: `${field}:${range}`, offset };
    }
    if (gap === 1000) return undefined;
  }
  return undefined;
}

function firstReaching(index: number, begins: readonly number[], counts: ReadonlyMap<number, number>) {
  let before = 0;
  for (const begin of begins) {
    const count = counts.get(begin) ?? 0;
    if (index < before + count) return { begin, before };
    before += count;
  }
  return undefined;
}

function stepsBetween(start: number, end: number, gap: number): number[] {
  const first = Math.floor(start / gap) * gap;
  return Array.from({ length: Math.ceil((end - first) / gap) }, (_, step) => first + step * gap);
}

function floorToSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
