import { LRUCache } from 'lru-cache';
import { InvalidInput } from '../../errors/errors.ts';

/** A time zone in milliseconds since 1970; local times are as if the local clock were UTC. */
export interface TimeZone {
  /** The offset never changes. */
  readonly isFixed: boolean;
  /** Milliseconds that the local clock is ahead of UTC at a time. */
  offsetAt(time: number): number;
  /** Times in `(from, to]` at which the offset changes. */
  transitions(from: number, to: number): readonly number[];
}

const DAY = 86_400_000;
const FIXED = /^(?<sign>[+-])(?<hours>\d{1,2}):?(?<minutes>\d{2})?(?::?(?<seconds>\d{2}))?$/;
const UTC_NAMES = new Set(['UTC', 'Z', 'GMT', 'UT', 'Etc/UTC']);
/** Zones are few; what callers make up must not fill the memory. */
const ZONES = new LRUCache<string, TimeZone>({ max: 200 });

/** @throws InvalidInput `invalid_time_zone`, when it is no IANA name and no offset */
export function timeZone(name: string): TimeZone {
  const known = ZONES.get(name);
  if (known !== undefined) return known;
  const zone = fixedZone(name) ?? namedZone(name);
  ZONES.set(name, zone);
  return zone;
}

/** Time of a local one: if repeated, the last up to `before`; if skipped, the moment of the jump. */
export function localToTime(zone: TimeZone, local: number, before = Number.POSITIVE_INFINITY): number {
  const offsets = new Set([zone.offsetAt(local - DAY), zone.offsetAt(local + DAY), zone.offsetAt(local)]);
  const times = [...offsets].map((offset) => local - offset).filter((time) => time + zone.offsetAt(time) === local);
  times.sort((a, b) => a - b);
  const first = times[0];
  if (first === undefined) return zone.transitions(local - 2 * DAY, local + 2 * DAY)[0] ?? local;
  return times.findLast((time) => time <= before) ?? first;
}

function fixedZone(name: string): TimeZone | undefined {
  if (UTC_NAMES.has(name)) return fixed(0);
  const parts = FIXED.exec(name)?.groups;
  if (!parts) return undefined;
  const seconds = Number(parts.hours) * 3600 + Number(parts.minutes ?? 0) * 60 + Number(parts.seconds ?? 0);
  if (seconds > 18 * 3600) throw unknownZone(name);
  return fixed((parts.sign === '-' ? -seconds : seconds) * 1000);
}

function fixed(offset: number): TimeZone {
  return { isFixed: true, offsetAt: () => offset, transitions: () => [] };
}

function namedZone(name: string): TimeZone {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    throw unknownZone(name, error);
  }
  const offsetAt = (time: number): number => {
    const second = Math.floor(time / 1000) * 1000;
    return localClock(format, second) - second;
  };
  const days = new Map<number, number>();
  const offsetOfDay = (day: number): number => {
    const known = days.get(day) ?? offsetAt(day * DAY);
    if (days.size > 100_000) days.clear();
    days.set(day, known);
    return known;
  };
  return {
    isFixed: false,
    offsetAt: (time) => {
      const day = Math.floor(time / DAY);
      const start = offsetOfDay(day);
      return start === offsetOfDay(day + 1) ? start : offsetAt(time);
    },
    transitions(from, to) {
      const found: number[] = [];
      for (let day = Math.floor(from / DAY); day * DAY <= to; day += 1) {
        if (offsetOfDay(day) === offsetOfDay(day + 1)) continue;
        const at = change(offsetAt, day * DAY, (day + 1) * DAY);
        if (at > from && at <= to) found.push(at);
      }
      return found;
    },
  };
}

/** First time in `(low, high]` with the offset of `high`, to the second. */
function change(offsetAt: (time: number) => number, low: number, high: number): number {
  const target = offsetAt(high);
  let [before, after] = [low / 1000, high / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle * 1000) === target) after = middle;
    else before = middle;
  }
  return after * 1000;
}

function localClock(format: Intl.DateTimeFormat, time: number): number {
  const part: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(time)) part[type] = value;
  const year = part.era?.startsWith('B') ? 1 - Number(part.year) : Number(part.year);
  const clock = new Date(0);
  clock.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
  return clock.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second), 0);
}

function unknownZone(name: string, cause?: unknown): InvalidInput {
  const message = `${JSON.stringify(name)} is not a time zone. Give an IANA name or an offset such as +02:00.`;
  return new InvalidInput('invalid_time_zone', message, { cause, at: 'timeZone' });
}
