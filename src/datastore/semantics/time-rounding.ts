import { InvalidInput } from '../../errors/errors.ts';
import { localToTime, type TimeZone } from './time-zone.ts';

/** Cuts time into buckets. Times are milliseconds since 1970. */
export interface TimeRounding {
  /** Lower edge of the bucket that a time lies in. */
  round(time: number): number;
  /** Lower edge of the next bucket. */
  next(edge: number): number;
  /** Milliseconds. On the local clock, whole multiples of it are the only places where buckets begin. */
  readonly step: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** 1970-01-05. */
const FIRST_MONDAY = 4 * DAY;

const DURATIONS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type CalendarUnit = (typeof UNITS)[number];
/** By both names of each: `day` and `1d`, `month` and `1M`. */
const NAMED_UNITS = new Map<string, CalendarUnit>(
  UNITS.flatMap((unit) => [unit, unit === 'month' ? '1M' : `1${unit.charAt(0)}`].map((name) => [name, unit] as const)),
);
const FIXED_UNITS: Partial<Record<CalendarUnit, number>> = { second: SECOND, minute: MINUTE, hour: HOUR };

/** `90m`, `1d`, `+6h`, `-30s`. @throws InvalidInput `invalid_interval` */
export function duration(text: string): number {
  const match = /^(?<sign>[+-]?)(?<amount>\d{1,15})(?<unit>ms|[smhd])$/.exec(text)?.groups;
  const unit = DURATIONS[match?.unit ?? ''];
  if (!match || unit === undefined) throw invalidInterval(text);
  return (match.sign === '-' ? -1 : 1) * Number(match.amount) * unit;
}

/** Buckets of one length. Where the clock of the zone is set, the bucket there is shorter or longer. */
export function fixedRounding(interval: string, zone: TimeZone): TimeRounding {
  const length = duration(interval);
  if (length <= 0) throw invalidInterval(interval);
  return steppedRounding(length, (time) => {
    const local = time + zone.offsetAt(time);
    return localToTime(zone, Math.floor(local / length) * length, time);
  });
}

/** A bucket over a change of the clock may end where no whole step fits. */
function steppedRounding(step: number, round: (time: number) => number): TimeRounding {
  const next = (edge: number): number => {
    let at = edge + step;
    while (round(at) <= edge) at += step;
    return round(at);
  };
  return { step, round, next };
}

/** Buckets of the calendar: `month`, `1M`, `week` (from Monday) ... */
export function calendarRounding(name: string, zone: TimeZone): TimeRounding {
  const unit = NAMED_UNITS.get(name);
  if (unit === undefined) throw invalidInterval(name);
  const fixed = FIXED_UNITS[unit];
  if (fixed !== undefined) return clockRounding(fixed, zone);
  return {
    step: DAY,
    round: (time) => localToTime(zone, beginOf(time + zone.offsetAt(time), unit)),
    next: (edge) => localToTime(zone, following(beginOf(edge + zone.offsetAt(edge) + HOUR, unit), unit)),
  };
}

/** Seconds, minutes and hours: an hour that the clock repeats is a bucket of its own. */
function clockRounding(length: number, zone: TimeZone): TimeRounding {
  return steppedRounding(length, (time) => {
    const offset = zone.offsetAt(time);
    return Math.floor((time + offset) / length) * length - offset;
  });
}

function beginOf(local: number, unit: CalendarUnit): number {
  if (unit === 'day') return Math.floor(local / DAY) * DAY;
  if (unit === 'week') return Math.floor((local - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
  const date = new Date(local);
  const month = date.getUTCMonth();
  const first = unit === 'year' ? 0 : unit === 'quarter' ? month - (month % 3) : month;
  return utc(date.getUTCFullYear(), first);
}

function following(local: number, unit: CalendarUnit): number {
  if (unit === 'day') return local + DAY;
  if (unit === 'week') return local + WEEK;
  const date = new Date(local);
  const months = unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1;
  return utc(date.getUTCFullYear(), date.getUTCMonth() + months);
}

function utc(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

function invalidInterval(text: string): InvalidInput {
  const message = `${JSON.stringify(text)} is not an interval. Give one such as 30m, 1d, or month.`;
  return new InvalidInput('invalid_interval', message, { at: 'interval' });
}
