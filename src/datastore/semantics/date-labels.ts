import { InvalidInput } from '../../errors/errors.ts';
import type { TimeZone } from './time-zone.ts';

type DateLabel = (time: number, zone: TimeZone) => string;

const NAMED_FORMATS: Readonly<Record<string, DateLabel>> = {
  epoch_millis: (time) => String(time),
  epoch_second: (time) => String(time / 1000),
  date_optional_time: isoLabel,
  strict_date_optional_time: isoLabel,
  date_time: isoLabel,
  strict_date_time: isoLabel,
};
const PATTERN_PART = /'(?<quoted>(?:[^']|'')*)'|(?<letters>(?<letter>[A-Za-z])\k<letter>*)|(?<other>[^A-Za-z'])/gy;

/** `2026-01-15T10:11:12.123Z`, with the offset of the zone in the place of `Z` outside UTC. */
export function isoLabel(time: number, zone: TimeZone): string {
  const offset = zone.offsetAt(time);
  return `${new Date(time + offset).toISOString().slice(0, -1)}${offsetText(offset, true)}`;
}

/** Labels by a named format or the first (`||`) pattern of DateTimeFormatter; throws `invalid_format`. */
export function dateLabel(format: string | undefined): DateLabel {
  if (format === undefined) return isoLabel;
  const [first = ''] = format.split('||');
  const named = Object.hasOwn(NAMED_FORMATS, first) ? NAMED_FORMATS[first] : undefined;
  return named ?? patternLabel(first);
}

function patternLabel(pattern: string): DateLabel {
  const parts: DateLabel[] = [];
  PATTERN_PART.lastIndex = 0;
  while (PATTERN_PART.lastIndex < pattern.length) {
    const { quoted, letters, other } = PATTERN_PART.exec(pattern)?.groups ?? {};
    if (letters !== undefined) {
      parts.push(letterLabel(letters, pattern));
    } else if (quoted !== undefined || other !== undefined) {
      const literal = quoted === '' ? "'" : (other ?? quoted?.replaceAll("''", "'") ?? '');
      parts.push(() => literal);
    } else {
      throw invalidFormat(pattern);
    }
  }
  return (time, zone) => parts.map((part) => part(time, zone)).join('');
}

/** Letters of a pattern that stand for a number of the local date. */
const NUMBERS: Readonly<Record<string, (date: Date) => number>> = {
  M: (date) => date.getUTCMonth() + 1,
  Q: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  d: (date) => date.getUTCDate(),
  D: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1,
  e: (date) => ((date.getUTCDay() + 6) % 7) + 1,
  H: (date) => date.getUTCHours(),
  k: (date) => date.getUTCHours() || 24,
  h: (date) => date.getUTCHours() % 12 || 12,
  K: (date) => date.getUTCHours() % 12,
  m: (date) => date.getUTCMinutes(),
  s: (date) => date.getUTCSeconds(),
};
const SAME_LETTERS: Readonly<Record<string, string>> = { u: 'y', L: 'M', q: 'Q', x: 'Z' };

function letterLabel(letters: string, pattern: string): DateLabel {
  const width = letters.length;
  const localDate = (time: number, zone: TimeZone) => new Date(time + zone.offsetAt(time));
  const padded = (number: number) => String(number).padStart(width, '0');
  const name = (part: 'month' | 'weekday'): DateLabel => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', [part]: width >= 4 ? 'long' : 'short' });
    return (time, zone) => format.format(localDate(time, zone));
  };
  const letter = SAME_LETTERS[letters.charAt(0)] ?? letters.charAt(0);
  if (letter === 'E') return name('weekday');
  if (letter === 'M' && width >= 3) return name('month');
  const read = NUMBERS[letter];
  if (read) return (time, zone) => padded(read(localDate(time, zone)));
  switch (letter) {
    case 'y':
      return (time, zone) => {
        const year = localDate(time, zone).getUTCFullYear();
        return padded(width === 2 ? year % 100 : year);
      };
    case 'a':
      return (time, zone) => (localDate(time, zone).getUTCHours() < 12 ? 'AM' : 'PM');
    case 'S':
      return (time) => new Date(time).toISOString().slice(-4, -1).padEnd(width, '0').slice(0, width);
    case 'X':
      return (time, zone) => offsetText(zone.offsetAt(time), width >= 3);
    case 'Z':
      return (time, zone) =>
        offsetText(zone.offsetAt(time), width >= 3).replace(/^Z$/, width >= 3 ? '+00:00' : '+0000');
    default:
      throw invalidFormat(pattern);
  }
}

function offsetText(offset: number, colon: boolean): string {
  if (offset === 0) return 'Z';
  const seconds = Math.abs(offset) / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (seconds % 60 !== 0) parts.push(seconds % 60);
  return (offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(colon ? ':' : '');
}

function invalidFormat(pattern: string): InvalidInput {
  return new InvalidInput('invalid_format', `${JSON.stringify(pattern)} is not a format for dates.`, { at: 'format' });
}
