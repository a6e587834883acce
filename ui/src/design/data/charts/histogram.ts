import { formatTime, type Zone } from '../values/date-format.ts';

/** One bar of a histogram over time. */
export interface TimeBucket {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Counts by series; a series without one counts 0. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Returns for each series the height at which its part of the bar ends, the first series at the
 * bottom. Charts draw the last one first: each covers what belongs to those below it.
 */
export function stacked(buckets: readonly TimeBucket[], series: readonly string[]): number[][] {
  const heights = buckets.map(() => 0);
  return series.map((id) =>
    buckets.map(({ counts }, index) => {
      const height = (heights[index] ?? 0) + (counts[id] ?? 0);
      heights[index] = height;
      return height;
    }),
  );
}

/** Returns the length of a bar in milliseconds: the distance that most bars have. */
export function bucketLength(buckets: readonly TimeBucket[], whole: number): number {
  const [first, second] = buckets;
  return first === undefined || second === undefined ? whole : Math.max(1, second.start - first.start);
}

/** Returns the range of two bars in any order, their ends included. */
export function rangeOf(
  buckets: readonly TimeBucket[],
  anchor: number,
  end: number,
  whole: number,
): { readonly from: number; readonly to: number } | undefined {
  const left = buckets[Math.min(anchor, end)];
  const right = buckets[Math.max(anchor, end)];
  if (left === undefined || right === undefined) return undefined;
  return { from: left.start, to: right.start + bucketLength(buckets, whole) };
}

/** Returns the range that a drag covers, widened to whole bars. */
export function wholeBars(
  buckets: readonly TimeBucket[],
  from: number,
  to: number,
  whole: number,
): { readonly from: number; readonly to: number } | undefined {
  const length = bucketLength(buckets, whole);
  const covered = buckets.flatMap(({ start }, index) => (start < to && start + length > from ? [index] : []));
  const [first] = covered;
  const last = covered.at(-1);
  return first === undefined || last === undefined ? undefined : rangeOf(buckets, first, last, whole);
}

const DAY = 86_400;

/**
 * Returns the labels of an axis of time, in seconds: the time of day with the day below where it
 * begins, or days alone.
 */
export function axisLabels(seconds: readonly number[], step: number, zone: Zone): string[] {
  let before = '';
  return seconds.map((second) => {
    const [day = '', time = ''] = formatTime(new Date(second * 1000), zone, 'minute').split(' ');
    const isNew = day !== before;
    before = day;
    if (step >= DAY) return day.slice(5);
    return isNew ? `${time}\n${day}` : time;
  });
}
