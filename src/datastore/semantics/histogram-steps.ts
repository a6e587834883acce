import { InvalidInput } from '../../errors/errors.ts';
import type { CheckedHistogram, CheckedSelection } from '../port/datastore-adapter.ts';
import type { HistogramBucket } from '../port/search.ts';
import { parseDateMath } from '../query-language/date-parsing.ts';
import { dateLabel } from './date-labels.ts';
import { calendarRounding, duration, fixedRounding, type TimeRounding } from './time-rounding.ts';
import { type TimeZone, timeZone } from './time-zone.ts';

export type HistogramSpec = Omit<CheckedHistogram, keyof CheckedSelection>;

/** Counted buckets of either kind of histogram, with bounds as keys and the step between buckets. */
export interface CountedBuckets {
  readonly counts: ReadonlyMap<number, number>;
  readonly extended: { readonly min: number; readonly max: number } | undefined;
  readonly next: (key: number) => number;
  readonly label: (key: number) => string;
}

export const MAX_BUCKETS = 65_536;

/** Fills gaps, drops rare buckets and orders them; throws InvalidInput `too_many_buckets`. */
export function answeredBuckets(counted: CountedBuckets, spec: HistogramSpec): readonly HistogramBucket[] {
  const { minCount } = spec;
  const keys = minCount === 0 ? withoutGaps(counted) : [...counted.counts.keys()].sort((a, b) => a - b);
  const buckets = keys
    .map((key) => ({ key, label: counted.label(key), count: counted.counts.get(key) ?? 0 }))
    .filter(({ count }) => count >= minCount);
  if (buckets.length > MAX_BUCKETS) throw tooManyBuckets();
  return ordered(buckets, spec);
}

function withoutGaps({ counts, extended, next }: CountedBuckets): readonly number[] {
  const known = [...counts.keys()];
  if (extended) known.push(extended.min, extended.max);
  if (known.length === 0) return [];
  const last = known.reduce((a, b) => Math.max(a, b));
  const keys: number[] = [];
  for (let key = known.reduce((a, b) => Math.min(a, b)); key <= last; key = next(key)) {
    keys.push(key);
    if (keys.length > MAX_BUCKETS) throw tooManyBuckets();
  }
  return keys;
}

function ordered(buckets: HistogramBucket[], { order }: HistogramSpec): readonly HistogramBucket[] {
  if (!order) return buckets;
  const sign = order.direction === 'asc' ? 1 : -1;
  if (order.by === 'key') return sign === 1 ? buckets : buckets.reverse();
  return buckets.sort((a, b) => sign * (a.count - b.count) || a.key - b.key);
}

export function tooManyBuckets(): InvalidInput {
  const message = `The histogram would have more than ${MAX_BUCKETS} buckets. Choose a longer interval.`;
  return new InvalidInput('too_many_buckets', message, { at: 'interval' });
}

/**
 * Returns buckets of time in milliseconds; `shift` is added to every edge.
 * @throws InvalidInput `invalid_interval`, `invalid_time_zone`, `invalid_format`, `invalid_bounds`
 */
export function dateSteps(spec: HistogramSpec) {
  const zone = timeZone(spec.timeZone);
  const rounding = roundingOf(spec, zone);
  const shift = typeof spec.offset === 'string' ? duration(spec.offset) : spec.offset;
  const label = dateLabel(spec.format);
  const roundShifted = (time: number): number => rounding.round(time - shift) + shift;
  const hard = dateEdges(spec.hardBounds, roundShifted, 'hardBounds');
  const extended = dateEdges(spec.extendedBounds, roundShifted, 'extendedBounds');
  return {
    zone,
    rounding,
    shift,
    /** The answer of buckets that were counted without bounds. */
    finish: (counts: Map<number, number>): CountedBuckets => ({
      counts: within(counts, hard),
      extended:
        extended?.min !== undefined && extended.max !== undefined
          ? { min: extended.min, max: extended.max }
          : undefined,
      next: (key) => rounding.next(key - shift) + shift,
      label: (key) => label(key, zone),
    }),
  };
}

function roundingOf({ interval }: HistogramSpec, zone: TimeZone): TimeRounding {
  if (interval.kind === 'fixed') return fixedRounding(interval.duration, zone);
  if (interval.kind === 'calendar') return calendarRounding(interval.unit, zone);
  throw new InvalidInput('invalid_interval', 'Dates need a fixed or calendar interval.', { at: 'interval' });
}

function dateEdges(bounds: HistogramSpec['hardBounds'], round: (time: number) => number, at: string) {
  if (!bounds) return undefined;
  const now = new Date();
  const read = (bound: number | string | undefined): number | undefined => {
    if (bound === undefined) return undefined;
    const time = typeof bound === 'number' ? bound : parseDateMath(bound, now);
    if (typeof time !== 'number')
      throw new InvalidInput('invalid_bounds', `${JSON.stringify(bound)} is not a date.`, { at });
    return round(time);
  };
  return { min: read(bounds.min), max: read(bounds.max) };
}

/** The buckets whose own edge lies inside. */
function within(counts: Map<number, number>, edges: ReturnType<typeof dateEdges>): ReadonlyMap<number, number> {
  if (!edges) return counts;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = edges;
  return new Map([...counts].filter(([key]) => key >= min && key < max));
}

/** Returns buckets of whole steps from the offset; throws `invalid_interval`, `invalid_bounds`. */
export function numberSteps(spec: HistogramSpec) {
  const size = spec.interval.kind === 'number' ? spec.interval.size : 0;
  if (!(size > 0) || !Number.isFinite(size))
    throw new InvalidInput('invalid_interval', 'The interval has to be positive.', { at: 'interval' });
  const offset = Number(spec.offset);
  const min = numberEdge(spec.hardBounds?.min) ?? Number.NEGATIVE_INFINITY;
  const max = numberEdge(spec.hardBounds?.max) ?? Number.POSITIVE_INFINITY;
  const keyOf = (at: number): number => at * size + offset;
  const edgeOf = (bound: number): number => keyOf(Math.floor((bound - offset) / size));
  return {
    size,
    offset,
    /** The answer of buckets that were counted without bounds, by position. */
    finish: (
      counts: readonly (readonly [position: number, count: number])[],
      label: (key: number) => string,
    ): CountedBuckets => ({
      counts: new Map(
        counts.filter(([at]) => at * size >= min && at * size < max).map(([at, count]) => [keyOf(at), count]),
      ),
      extended: spec.extendedBounds && {
        min: edgeOf(Number(spec.extendedBounds.min)),
        max: edgeOf(Number(spec.extendedBounds.max)),
      },
      next: (key) => keyOf(Math.round((key - offset) / size) + 1),
      label,
    }),
  };
}

function numberEdge(bound: number | string | undefined): number | undefined {
  if (bound === undefined) return undefined;
  const number = Number(bound);
  if (!Number.isFinite(number))
    throw new InvalidInput('invalid_bounds', 'Bounds have to be numbers.', { at: 'hardBounds' });
  return number;
}
