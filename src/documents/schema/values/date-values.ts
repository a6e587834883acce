import { pythonRepr, pythonTypeName } from './python-text.ts';

/**
 * Times as documents keep them: `YYYY-MM-DDTHH:MM:SS.ffffffZ`, years 1 to 9999. Read leniently: ISO
 * 8601 and its relatives (week dates, days of the year, `/` and `.` between the parts, basic forms, any offset), seconds,
 * milliseconds or microseconds since 1970, and `NOW`.
 */

/** Not a time. The message is the reason alone, without the field. */
export class UnreadableDate extends Error {}

/** `date` in the form that documents keep. */
export function formatDate(date: Date): string {
  return format(date.getTime(), 0);
}

/** Returns the stored form of a string, a number or `NOW`; throws UnreadableDate. */
export function readDate(value: unknown, now: Date): string {
  if (typeof value === 'number' || typeof value === 'bigint') return readEpoch(value);
  if (typeof value !== 'string') {
    throw new UnreadableDate(`Cannot parse single argument of type <class '${pythonTypeName(value)}'>.`);
  }
  if (value === 'NOW') return formatDate(now);
  if (value.length === WRITTEN_LENGTH) {
    const written = WRITTEN.exec(value);
    if (written !== null && isDayOfAnyMonth(written)) return `${value.slice(0, -1)}000Z`;
  }
  const common = COMMON.exec(value);
  return common === null ? readIso(value) : fromMatch(common, readOffset(common[8]));
}

/** The format of `Date.toISOString`, the most frequent input, which is stored with three more digits. */
const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const WRITTEN_LENGTH = '2026-01-01T00:00:00.000Z'.length;
/** Days that every month has. */
const SHORTEST_MONTH = 28;

/** Returns whether the day exists in every month; other days need a closer check. */
function isDayOfAnyMonth([, year, month, day]: RegExpExecArray): boolean {
  const number = Number(month);
  return Number(year) > 0 && number >= 1 && number <= 12 && Number(day) >= 1 && Number(day) <= SHORTEST_MONTH;
}

/** Everything that programs usually write. The rest goes the long way. */
const COMMON = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})?$/;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The times 0001-01-01 and 9999-12-31T23:59:59.999 in milliseconds. */
const FIRST_MILLISECOND = -62_135_596_800_000;
const LAST_MILLISECOND = 253_402_300_799_999;

/** Seconds, milliseconds and microseconds are told apart by their size. */
function readEpoch(sent: number | bigint): string {
  const value = Number(sent);
  const lastSecond = LAST_MILLISECOND / 1000;
  let scale = 1_000_000;
  if (value > lastSecond * 1e6) throw new UnreadableDate(`The specified timestamp ${pythonRepr(sent)} is too large.`);
  if (value > lastSecond * 1e3) scale = 1;
  else if (value > lastSecond) scale = 1000;
  const micros = Math.round(value * scale);
  const millis = Math.floor(micros / 1000);
  if (!Number.isFinite(millis) || millis < FIRST_MILLISECOND) {
    throw new UnreadableDate(`The specified timestamp ${pythonRepr(sent)} is out of range.`);
  }
  return format(millis, micros - millis * 1000);
}

/** Time of day as in the match's groups 4 to 7: hour, minute, second, fraction. */
function fromMatch(match: RegExpExecArray, offsetMinutes: number): string {
  const day = startOfDay(Number(match[1]), Number(match[2]), Number(match[3]));
  return assemble(day, match[4], match[5], match[6], match[7], offsetMinutes);
}

function startOfDay(year: number, month: number, day: number): number {
  if (year < 1) throw new UnreadableDate(`year ${year} is out of range`);
  if (month < 1 || month > 12) throw new UnreadableDate('month must be in 1..12');
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1) throw new UnreadableDate('day is out of range for month');
  return date.getTime();
}

function assemble(
  day: number,
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
  fraction: string | undefined,
  offsetMinutes: number,
): string {
  const hour = Number(hours ?? 0);
  const minute = Number(minutes ?? 0);
  const second = Number(seconds ?? 0);
  const micros = readFraction(fraction);
  if (hour === 24) {
    if (minute !== 0) throw new UnreadableDate('Midnight at the end of day must not contain minutes');
    if (second !== 0) throw new UnreadableDate('Midnight at the end of day must not contain seconds');
    if (micros !== 0) throw new UnreadableDate('Midnight at the end of day must not contain microseconds');
  } else if (hour > 23) throw new UnreadableDate('hour must be in 0..23');
  if (minute > 59) throw new UnreadableDate('minute must be in 0..59');
  if (second > 59) throw new UnreadableDate('second must be in 0..59');
  const millis = day + hour * HOUR + (minute - offsetMinutes) * MINUTE + second * SECOND + Math.floor(micros / 1000);
  return format(millis, micros % 1000);
}

/** Microseconds; the seventh digit rounds, a half to the even neighbour. */
function readFraction(digits: string | undefined): number {
  if (digits === undefined) return 0;
  const micros = Number(digits.slice(0, 6).padEnd(6, '0'));
  const seventh = Number(digits.charAt(6) || 0);
  const up = seventh === 5 ? micros % 2 : seventh > 5 ? 1 : 0;
  return micros + up;
}

/** Minutes east of Greenwich. */
function readOffset(text: string | undefined): number {
  if (text === undefined || text === 'Z' || text === 'z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  if (minutes >= 24 * 60) throw new UnreadableDate(`the offset ${text} is not below 24 hours`);
  return text.startsWith('-') ? -minutes : minutes;
}

function format(millis: number, micros: number): string {
  if (millis < FIRST_MILLISECOND || millis > LAST_MILLISECOND) throw new UnreadableDate('date value out of range');
  return `${new Date(millis).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

const DATE_FORMS =
  'YYYY-MM-DD YYYY-M-DD YYYY-M-D YYYY/MM/DD YYYY/M/DD YYYY/M/D YYYY.MM.DD YYYY.M.DD YYYY.M.D YYYYMMDD YYYY-DDDD YYYYDDDD YYYY-MM YYYY/MM YYYY.MM YYYY W';

const CALENDAR_DATE = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const BASIC_DATE = /^(\d{4})(\d{2})(\d{2})$/;
const DAY_OF_YEAR = /^(\d{4})-?(\d{3})$/;
const MONTH = /^(\d{4})[-/.](\d{2})$/;
const YEAR = /^(\d{4})$/;
const WEEK_DATE = /^(\d{4})-?W(\d{2})-?(\d)?$/i;
const TIME = /^(\d{2})(?::?(\d{2}))?(?::?(\d{2}))?(?:([.,])(\d+))?$/;
/** One mark of punctuation may stand around a date, as prose has it. */
const SURROUNDED = /^[,.;:?!"'`[\]{}()<>]?(.*?)[,.;:?!"'`[\]{}()<>]?$/s;

function readIso(text: string): string {
  const spaces = text.split(' ').length - 1;
  const hasT = text.includes('T');
  if (spaces > 1 || (hasT && spaces > 0)) {
    throw new UnreadableDate(
      `Expected an ISO 8601-like string, but was given ${pythonRepr(text)}. Try passing in a format string to resolve this.`,
    );
  }
  const divider = spaces === 1 ? ' ' : hasT ? 'T' : undefined;
  const bare = SURROUNDED.exec(text)?.[1] ?? text;
  if (divider === undefined) {
    const day = readDay(text) ?? readDay(bare);
    if (day === undefined) throw noMatch(text, '');
    return format(day, 0);
  }
  const at = text.indexOf(divider);
  const time = text.slice(at + 1);
  const zoneAt = time.search(/[+\-Z]/i);
  const clock = TIME.exec(zoneAt === -1 ? time : time.slice(0, zoneAt));
  if (clock === null) {
    throw new UnreadableDate(
      'Invalid time component provided. Please specify a format or provide a valid time component in the basic or extended ISO 8601 time format.',
    );
  }
  const zone = zoneAt === -1 ? undefined : time.slice(zoneAt);
  const day = readDay(text.slice(0, at)) ?? readDay(SURROUNDED.exec(text.slice(0, at))?.[1] ?? '');
  const colons = (zone?.slice(1).includes(':') ?? false) === true;
  const zoneFits =
    zone === undefined || (colons ? /^(?:[+-]\d{2}:\d{2}|Z)$/i : /^(?:[+-]\d{2}(?:\d{2})?|Z)$/i).test(zone);
  if (day === undefined || !zoneFits)
    throw noMatch(text, `${divider}${timeForm(clock, time)}${zone === undefined ? '' : colons ? 'ZZ' : 'Z'}`);
  const offset = zone !== undefined && zone.length === 3 ? `${zone}00` : zone;
  return assemble(day, clock[1], clock[2], clock[3], clock[5], readOffset(offset));
}

function timeForm(clock: RegExpExecArray, time: string): string {
  const separator = time.includes(':') ? ':' : '';
  if (clock[5] !== undefined) return `HH${separator}mm${separator}ss${clock[4]}S`;
  if (clock[3] !== undefined) return `HH${separator}mm${separator}ss`;
  return clock[2] !== undefined ? `HH${separator}mm` : 'HH';
}

function noMatch(text: string, suffix: string): UnreadableDate {
  const forms = DATE_FORMS.replaceAll(' ', `${suffix}, `) + suffix;
  return new UnreadableDate(`Could not match input ${pythonRepr(text)} to any of the following formats: ${forms}.`);
}

/** Milliseconds at the start of the day; undefined: not a date. */
function readDay(text: string): number | undefined {
  const calendar = CALENDAR_DATE.exec(text);
  if (calendar) return startOfDay(Number(calendar[1]), Number(calendar[3]), Number(calendar[4]));
  const basic = BASIC_DATE.exec(text);
  if (basic) return startOfDay(Number(basic[1]), Number(basic[2]), Number(basic[3]));
  const ofYear = DAY_OF_YEAR.exec(text);
  if (ofYear) return dayOfYear(Number(ofYear[1]), Number(ofYear[2]));
  const month = MONTH.exec(text);
  if (month) return startOfDay(Number(month[1]), Number(month[2]), 1);
  const year = YEAR.exec(text);
  if (year) return startOfDay(Number(year[1]), 1, 1);
  const week = WEEK_DATE.exec(text);
  return week ? dayOfWeek(Number(week[1]), Number(week[2]), Number(week[3] ?? 1)) : undefined;
}

function dayOfYear(year: number, day: number): number {
  const start = startOfDay(year, 1, 1);
  const end = startOfDay(year, 12, 31);
  const date = start + (day - 1) * DAY;
  if (day < 1 || date > end) {
    throw new UnreadableDate(`The provided day of year '${String(day).padStart(3, '0')}' is invalid.`);
  }
  return date;
}

/** ISO 8601: week 1 is the one of 4 January, weeks start on Monday. */
function dayOfWeek(year: number, week: number, day: number): number {
  if (week < 1 || week > 53) throw new UnreadableDate('ISO Calendar week value must be between 1-53.');
  if (day < 1 || day > 7) throw new UnreadableDate('ISO Calendar day value must be between 1-7');
  const fourth = startOfDay(year, 1, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  return fourth + ((week - 1) * 7 + (day - 1) - weekday) * DAY;
}
