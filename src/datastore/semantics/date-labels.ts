import { InvalidInput } from '../../errors/errors.ts';
import type { TimeZone } from './time-zone.ts';

type DateLabel = (time: number, zone: TimeZone) => string;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
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

function letterLabel(letters: string, pattern: string): DateLabel {
  const width = letters.length;
  const local = (read: (date: Date) => number) => (time: number, zone: TimeZone) =>
    String(read(new Date(time + zone.offsetAt(time)))).padStart(width, '0');
  const name = (names: readonly string[], read: (date: Date) => number) => (time: number, zone: TimeZone) => {
    const full = names[read(new Date(time + zone.offsetAt(time)))] ?? '';
    return width >= 4 ? full : full.slice(0, 3);
  };
  switch (letters.at(0)) {
    case 'y':
    case 'u':
      return width === 2 ? local((date) => date.getUTCFullYear() % 100) : local((date) => date.getUTCFullYear());
    case 'M':
    case 'L':
      return width >= 3 ? name(MONTHS, (date) => date.getUTCMonth()) : local((date) => date.getUTCMonth() + 1);
    case 'Q':
    case 'q':
      return local((date) => Math.floor(date.getUTCMonth() / 3) + 1);
    case 'd':
      return local((date) => date.getUTCDate());
    case 'D':
      return local((date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1);
    case 'E':
      return name(WEEKDAYS, (date) => date.getUTCDay());
    case 'e':
      return local((date) => ((date.getUTCDay() + 6) % 7) + 1);
    case 'a':
      return (time, zone) => (new Date(time + zone.offsetAt(time)).getUTCHours() < 12 ? 'AM' : 'PM');
    case 'H':
      return local((date) => date.getUTCHours());
    case 'k':
      return local((date) => date.getUTCHours() || 24);
    case 'h':
      return local((date) => date.getUTCHours() % 12 || 12);
    case 'K':
      return local((date) => date.getUTCHours() % 12);
    case 'm':
      return local((date) => date.getUTCMinutes());
    case 's':
      return local((date) => date.getUTCSeconds());
    case 'S':
      return (time) =>
        String(((time % 1000) + 1000) % 1000)
          .padStart(3, '0')
          .padEnd(width, '0')
          .slice(0, width);
    case 'X':
      return (time, zone) => offsetText(zone.offsetAt(time), width >= 3);
    case 'x':
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
