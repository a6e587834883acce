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
const NAMED_UNITS: Readonly<Record<string, CalendarUnit>> = {
  second: 'second',
  '1s': 'second',
  minute: 'minute',
  '1m': 'minute',
  hour: 'hour',
  '1h': 'hour',
  day: 'day',
  '1d': 'day',
  week: 'week',
  '1w': 'week',
  month: 'month',
  '1M': 'month',
  quarter: 'quarter',
  '1q': 'quarter',
  year: 'year',
  '1y': 'year',
};
const FIXED_UNITS: Partial<Record<CalendarUnit, number>> = { second: SECOND, minute: MINUTE, hour: HOUR };

type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

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
  return {
    step: length,
    round(time) {
      const local = time + zone.offsetAt(time);
      return localToTime(zone, Math.floor(local / length) * length, time);
    },
    next(edge) {
      // A bucket over a change of the clock may end where no whole interval fits.
      let at = edge + length;
      while (this.round(at) <= edge) at += length;
      return this.round(at);
    },
  };
}

/** Buckets of the calendar: `month`, `1M`, `week` (from Monday) ... */
export function calendarRounding(name: string, zone: TimeZone): TimeRounding {
  const unit = Object.hasOwn(NAMED_UNITS, name) ? NAMED_UNITS[name] : undefined;
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
  return {
    step: length,
    round: (time) => {
      const offset = zone.offsetAt(time);
      return Math.floor((time + offset) / length) * length - offset;
    },
    next(edge) {
      let at = edge + length;
      while (this.round(at) <= edge) at += length;
      return this.round(at);
    },
  };
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
  return new InvalidInput(
    'invalid_interval',
    `${JSON.stringify(text)} is not an interval. Give one such as 30m, 1d, or month.`,
    { at: 'interval' },
  );
}
