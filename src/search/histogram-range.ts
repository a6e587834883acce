import type { IndexedValue } from '../datastore/port/query-tree.ts';
import { parseDateMath } from '../datastore/query-language/date-parsing.ts';
import { InvalidInput } from '../errors/errors.ts';

/** Most steps of one histogram. */
export const MAX_HISTOGRAM_STEPS = 100;

/** Start, end and width of the steps of a histogram. */
export interface HistogramRange {
  /** Both ends belong to it. Numbers, or milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** `end` where the text leaves the hour and below open: the end of that day. */
  readonly endRoundedUp: number;
  readonly interval:
    | { readonly kind: 'number'; readonly size: number }
    | { readonly kind: 'fixed'; readonly duration: string };
}

export interface RawRange {
  readonly start?: number | string | undefined;
  readonly end?: number | string | undefined;
  readonly gap?: number | string | undefined;
}

/** Words of the refusals that clients of a service know. */
export interface HistogramWords {
  tooManySteps(steps: number): string;
  unreadable(start: unknown, end: unknown, gap: unknown): string;
}

const WORDS: HistogramWords = {
  tooManySteps: (steps) =>
    `Histograms are limited to a maximum of ${MAX_HISTOGRAM_STEPS} steps; these settings make ${steps}.`,
  unreadable: (start, end, gap) =>
    `Could not read the histogram range (start='${start}', end='${end}', gap='${gap}'): give three integers ` +
    `from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, or for dates two dates with date math and a gap such as +1h.`,
};

const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Milliseconds from 1970 that a `Date` can hold, in both directions. */
const MAX_TIME = 8_640_000_000_000_000;
const WHOLE_NUMBER = /^[+-]?\d{1,16}$/;

/**
 * Reads start, end and gap for a field.
 * Integers for numbers (default 0 to 2000 by 100); dates and date math with a gap such as `+1h` for dates (default the
 * last day by the hour), for which three numbers mean milliseconds.
 * @throws InvalidInput `invalid_histogram_range`, `too_many_steps`
 */
export function readHistogramRange(
  kind: 'number' | 'date',
  given: RawRange,
  now: Date,
  words: HistogramWords = WORDS,
): HistogramRange {
  const start = given.start ?? (kind === 'date' ? 'now-1d' : 0);
  const end = given.end ?? (kind === 'date' ? 'now' : 2000);
  const gap = given.gap ?? (kind === 'date' ? '+1h' : 100);
  const numbers = [start, end, gap].map(integer);
  const [first, last, size] = numbers;
  if (first !== undefined && last !== undefined && size !== undefined) {
    checkSteps(first, last, size, given, words);
    if (kind === 'date') checkTimes(first, last, size);
    const interval =
      kind === 'date' ? ({ kind: 'fixed', duration: `${size}ms` } as const) : ({ kind: 'number', size } as const);
    return { start: first, end: last, endRoundedUp: last, interval };
  }
  if (kind === 'number') throw wrongRange(words.unreadable(start, end, gap), 'start');
  const duration = DURATION.exec(String(gap).replace(/^[+-]+/, ''));
  const from = parseDateMath(String(start), now);
  const to = parseDateMath(String(end), now);
  const roundedUp = parseDateMath(String(end), now, { roundUp: true });
  if (!duration || typeof from !== 'number' || typeof to !== 'number' || typeof roundedUp !== 'number') {
    throw wrongRange(words.unreadable(start, end, gap), 'start');
  }
  const [text, amount = '', unit = ''] = duration;
  const step = Number(amount) * (MILLISECONDS[unit] ?? 0);
  checkSteps(from, to, step, given, words);
  checkTimes(from, to, step);
  return { start: from, end: to, endRoundedUp: roundedUp, interval: { kind: 'fixed', duration: text } };
}

/** Returns a number in the indexed form of a field. */
export function indexedNumber(searchKind: string, value: number): IndexedValue {
  return searchKind === 'long' ? BigInt(Math.trunc(value)) : value;
}

function checkSteps(start: number, end: number, gap: number, { gap: given }: RawRange, words: HistogramWords): void {
  if (gap <= 0) throw wrongRange(`The gap ${given} of a histogram must be larger than 0.`, 'gap');
  if (start > end) throw wrongRange('The start of a histogram must not lie after its end.', 'start');
  const steps = Math.trunc((end - start) / gap);
  if (steps <= MAX_HISTOGRAM_STEPS) return;
  throw new InvalidInput('too_many_steps', words.tooManySteps(steps), { at: 'gap' });
}

/** Steps begin at multiples of the gap, before the start too. */
function checkTimes(start: number, end: number, gap: number): void {
  if (Math.floor(start / gap) * gap >= -MAX_TIME && end <= MAX_TIME) return;
  const message = `The steps of a histogram must lie between ${-MAX_TIME} and ${MAX_TIME} milliseconds, which is the limit of times.`;
  throw wrongRange(message, end > MAX_TIME ? 'end' : 'start');
}

function wrongRange(message: string, at: 'start' | 'end' | 'gap'): InvalidInput {
  return new InvalidInput('invalid_histogram_range', message, { at });
}

function integer(value: number | string): number | undefined {
  if (typeof value === 'string' && !WHOLE_NUMBER.test(value.trim())) return undefined;
  const whole = Math.trunc(Number(value));
  return Number.isSafeInteger(whole) ? whole : undefined;
}
