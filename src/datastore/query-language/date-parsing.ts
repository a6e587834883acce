/**
 * Dates of the format `date_optional_time||epoch_millis`; up to nine digits are a year. Default UTC.
 * Times beyond those of a `Date` (years -271821 to 275760) become its first or last.
 */
const DATE_OPTIONAL_TIME =
  /^(?<year>-?\d{1,9})(?:-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?)?(?:T(?:(?<hour>\d{1,2})(?::(?<minute>\d{1,2})(?::(?<second>\d{1,2}))?(?:[.,](?<fraction>\d{1,9}))?(?<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2}(?::\d{2})?)?)?)?)?)?$/;
const EPOCH_MILLISECONDS = /^-?\d{1,18}(?:\.\d{0,6})?$/;
const DATE_MATH_STEP = /(?<operator>[/+-])(?<amount>\d{0,9})(?<unit>[yMwdhHms])/y;

const MILLISECONDS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1_000,
};
/** The maximum time of a `Date`, in milliseconds before and after 1970. */
const LAST_TIME = 8_640_000_000_000_000;
/** 1970-01-05, a Monday. */
const FIRST_MONDAY = 4 * 86_400_000;

type DateProblem = 'not_a_date' | 'bad_date_math';

export interface DateReading {
  /**
   * The end of what the text leaves open (hour and below), or of the period that `/unit` rounds to.
   * Days up to 31 that the month does not have become its last one. Default: the beginning, and such days are refused.
   */
  readonly roundUp?: boolean;
}

/** Reads a date without date math as milliseconds since 1970; undefined when the text is not one. */
export function parseDate(text: string, { roundUp = false }: DateReading = {}): number | undefined {
  const parts = DATE_OPTIONAL_TIME.exec(text)?.groups;
  if (!parts) return EPOCH_MILLISECONDS.test(text) ? withinDates(Math.floor(Number(text))) : undefined;
  const month = Number(parts.month ?? 1);
  const givenDay = Number(parts.day ?? 1);
  const hour = Number(parts.hour ?? (roundUp ? 23 : 0));
  const minute = Number(parts.minute ?? (roundUp ? 59 : 0));
  const second = Number(parts.second ?? (roundUp ? 59 : 0));
  const millisecond =
    parts.fraction === undefined ? (roundUp ? 999 : 0) : Number(parts.fraction.padEnd(3, '0').slice(0, 3));
  const year = Number(parts.year);
  if (month < 1 || month > 12) return undefined;
  // The engine's round-up parser is lenient here, and its other one is not: `>2026-02-30` is after February 28.
  const day = roundUp ? Math.min(givenDay, daysInMonth(year, month)) : givenDay;
  if (day < 1 || givenDay > 31 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = zoneOffset(parts.zone);
  if (offset === undefined) return undefined;
  return withinDates(utc(year, month, day, hour, minute, second, millisecond) - offset);
}

/**
 * Reads a date with date math: `now-7d/d`, `2026-01-01||+1M/M`, in milliseconds since 1970.
 * Steps `y M w d h H m s` apply from left to right. Weeks begin on Monday; months keep the day where it exists.
 */
export function parseDateMath(text: string, now: Date, reading: DateReading = {}): number | DateProblem {
  const bars = text.indexOf('||');
  if (!text.startsWith('now') && bars === -1) return parseDate(text, reading) ?? 'not_a_date';
  const start = text.startsWith('now') ? now.getTime() : parseDate(text.slice(0, bars));
  if (start === undefined) return 'not_a_date';
  return applyDateMath(start, text.startsWith('now') ? text.slice(3) : text.slice(bars + 2), reading);
}

function applyDateMath(start: number, steps: string, { roundUp = false }: DateReading): number | 'bad_date_math' {
  let time = start;
  DATE_MATH_STEP.lastIndex = 0;
  while (DATE_MATH_STEP.lastIndex < steps.length) {
    const { operator, amount, unit } = DATE_MATH_STEP.exec(steps)?.groups ?? {};
    if (operator === undefined || amount === undefined || unit === undefined) return 'bad_date_math';
    const count = amount === '' ? 1 : Number(amount);
    if (operator === '/') {
      if (count !== 1) return 'bad_date_math';
      const begin = beginOf(time, unit);
      time = roundUp ? add(begin, 1, unit) - 1 : begin;
    } else {
      time = add(time, operator === '-' ? -count : count, unit);
    }
    time = withinDates(time);
  }
  return time;
}

function add(time: number, count: number, unit: string): number {
  const length = MILLISECONDS[unit];
  if (length !== undefined) return time + count * length;
  const date = new Date(time);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + (unit === 'y' ? 12 * count : count);
  const year = Math.floor(months / 12);
  const month = months - year * 12 + 1;
  const day = Math.min(date.getUTCDate(), daysInMonth(year, month));
  return utc(year, month, day) + modulo(time, MILLISECONDS.d ?? 1);
}

function beginOf(time: number, unit: string): number {
  if (unit === 'w') return time - modulo(time - FIRST_MONDAY, MILLISECONDS.w ?? 1);
  const length = MILLISECONDS[unit];
  if (length !== undefined) return time - modulo(time, length);
  const date = new Date(time);
  return utc(date.getUTCFullYear(), unit === 'y' ? 1 : date.getUTCMonth() + 1, 1);
}

function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0, millisecond = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const time = date.setUTCHours(hour, minute, second, millisecond);
  return Number.isNaN(time) ? Math.sign(year) * LAST_TIME : time;
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeapYear ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function zoneOffset(zone: string | undefined): number | undefined {
  if (zone === undefined || !/^[+-]/.test(zone)) return 0;
  const digits = zone.replaceAll(':', '').slice(1).padEnd(6, '0');
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4));
  if (seconds > 18 * 3600 || digits.slice(2, 4) > '59' || digits.slice(4) > '59') return undefined;
  return (zone.startsWith('-') ? -seconds : seconds) * 1000;
}

function withinDates(time: number): number {
  return Math.max(-LAST_TIME, Math.min(LAST_TIME, time));
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
