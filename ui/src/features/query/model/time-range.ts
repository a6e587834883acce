import { parseDateMath } from '../../../../../src/datastore/query-language/date-parsing.ts';
import { quotedBound } from '../../../../../src/datastore/query-language/written-values.ts';
import type { Zone } from '../../../design/data/values/date-format.ts';
import { zonedDate } from './zoned-date.ts';

/** Dates as the query language has them, `2026-01-15T10:00:00Z` or `now-7d/d`; undefined is open. */
export interface DateRange {
  readonly kind: 'dates';
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The time that a search covers. Undefined, where one may be missing: all times. */
export type TimeRange = DateRange | { readonly kind: 'last_visit' };

/** The present time, the last visit and the zone, which decide what a range covers. */
export interface TimeContext {
  readonly now: Date;
  /** End of the last visit, ISO 8601; undefined on the first visit. */
  readonly lastVisit?: string | undefined;
  /** The zone of the reader, in which days, weeks and months begin. Default: UTC. */
  readonly zone?: Zone | undefined;
  /** Seconds since a search: `now` is its moment, so that its pages belong together. Default: 0. */
  readonly ago?: number | undefined;
}

const LAST_VISIT = 'last-visit';
const STEPS = /^\d{1,6}[smhdwMy]$/;

/** Returns the range of the last `15m`, `24h`, `7d`, until now. */
export function lastRange(duration: string): DateRange {
  return { kind: 'dates', from: `now-${duration}`, to: 'now' };
}

/** Returns the duration of a range that `lastRange` made; undefined for another one. */
export function durationOf(range: TimeRange | undefined): string | undefined {
  if (range?.kind !== 'dates' || range.to !== 'now' || !range.from?.startsWith('now-')) return undefined;
  const duration = range.from.slice('now-'.length);
  return STEPS.test(duration) ? duration : undefined;
}

/**
 * Returns the range between two times in milliseconds since 1970, such as those of a drag on a
 * histogram.
 */
export function rangeBetween(from: number, to: number): DateRange {
  const [first, last] = from <= to ? [from, to] : [to, from];
  return { kind: 'dates', from: new Date(first).toISOString(), to: new Date(last).toISOString() };
}

/**
 * Returns a range as a string for addresses: `7d`, `last-visit`, `today`, `2026-01`, `from..to` with
 * either side left out.
 */
export function writeTimeRange(range: TimeRange | undefined): string {
  if (range === undefined) return '';
  if (range.kind === 'last_visit') return LAST_VISIT;
  return durationOf(range) ?? periodOf(range) ?? `${range.from ?? ''}..${range.to ?? ''}`;
}

/** Returns the day, month or year that a range is, as a person types it; undefined for another one. */
export function periodOf({ from, to }: DateRange): string | undefined {
  if (from === undefined || from !== to) return undefined;
  const typed = DAYS.find(([, date]) => date === from)?.[0] ?? from.split('||')[0] ?? '';
  return wholePeriod(typed) === from && typed !== from ? typed : undefined;
}

/**
 * Reads what `writeTimeRange` wrote or a person typed: `7d`, `today`, `2026-01-15`, `now-7d/d..now`.
 * Returns undefined for all times and `not_a_range` for everything else.
 */
export function readTimeRange(text: string): TimeRange | undefined | 'not_a_range' {
  const given = text.trim();
  if (given === '' || given === '..') return undefined;
  if (given === LAST_VISIT) return { kind: 'last_visit' };
  if (STEPS.test(given)) return lastRange(given);
  const [from = '', to, ...more] = given.split('..').map((side) => side.trim());
  if (more.length > 0) return 'not_a_range';
  const range: DateRange =
    to === undefined
      ? { kind: 'dates', from: wholePeriod(from), to: wholePeriod(from) }
      : { kind: 'dates', from: from === '' ? undefined : from, to: to === '' ? undefined : to };
  return isReadable(range) ? range : 'not_a_range';
}

/** Returns the condition of the range on a date field; undefined when it restricts nothing. */
export function timeQuery(range: TimeRange | undefined, field: string, context: TimeContext): string | undefined {
  const { from, to } = datesOf(range, context);
  if (from === undefined && to === undefined) return undefined;
  return `${field}:[${from === undefined ? '*' : quotedBound(from)} TO ${to === undefined ? '*' : quotedBound(to)}]`;
}

/** Returns the two times of a range in milliseconds since 1970; an open side is undefined. */
export function timesOf(
  range: TimeRange | undefined,
  context: TimeContext,
): { readonly from: number | undefined; readonly to: number | undefined } {
  const { from, to } = datesOf(range, context);
  return { from: timeOf(from, context.now, false), to: timeOf(to, context.now, true) };
}

/** Returns why a range covers nothing; undefined for a usable one. */
export function rangeProblem(range: TimeRange | undefined, context: TimeContext): 'backwards' | undefined {
  const { from, to } = timesOf(range, context);
  return from !== undefined && to !== undefined && from > to ? 'backwards' : undefined;
}

/** Returns the dates of a range; the time since the last visit is all time on the first one. */
function datesOf(range: TimeRange | undefined, context: TimeContext): Pick<DateRange, 'from' | 'to'> {
  if (range === undefined) return {};
  if (range.kind === 'last_visit') return { from: context.lastVisit };
  const date = (text: string | undefined, roundUp: boolean) =>
    text === undefined ? undefined : before(zonedDate(text, roundUp, context), context.ago ?? 0);
  return { from: date(range.from, false), to: date(range.to, true) };
}

/** Returns date math for the same distance from a moment some seconds ago. */
function before(text: string, ago: number): string {
  return ago === 0 || !text.startsWith('now') ? text : `now-${ago}s${text.slice('now'.length)}`;
}

const DAYS = [
  ['today', 'now/d'],
  ['yesterday', 'now-1d/d'],
] as const;

/** Returns a day as its beginning and end, by rounding; a word for a day likewise. */
function wholePeriod(text: string): string {
  const day = DAYS.find(([word]) => word === text);
  if (day !== undefined) return day[1];
  if (/^\d{4}$/.test(text)) return `${text}||/y`;
  if (/^\d{4}-\d\d$/.test(text)) return `${text}||/M`;
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}||/d` : text;
}

function isReadable({ from, to }: DateRange): boolean {
  const now = new Date();
  return [from, to].every((side) => side === undefined || timeOf(side, now, false) !== undefined);
}

function timeOf(text: string | undefined, now: Date, roundUp: boolean): number | undefined {
  const time = text === undefined ? undefined : parseDateMath(text, now, { roundUp });
  return typeof time === 'number' ? time : undefined;
}
