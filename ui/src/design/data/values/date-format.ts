export type Zone = 'utc' | 'local';
export type Precision = 'day' | 'minute' | 'second' | 'millisecond';

/**
 * A time as the services send it: ISO 8601 (without a zone: UTC), RFC 1123, seconds or milliseconds
 * since 1970.
 */
export type RawTime = string | number | Date | null | undefined;

/** Numbers below are seconds: as milliseconds they would lie in the first weeks of 1970. */
const FIRST_MILLISECONDS = 20_000_000_000;
const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?)? ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Returns the moment, or undefined for what is not a time. */
export function readTime(raw: RawTime): Date | undefined {
  if (raw === null || raw === undefined || raw === '') return undefined;
  if (raw instanceof Date) return validOrNothing(raw);
  if (typeof raw === 'number') return validOrNothing(new Date(Math.abs(raw) < FIRST_MILLISECONDS ? raw * 1000 : raw));
  const text = raw.trim();
  if (text.length > 64) return undefined;
  if (/^-?\d{9,13}(?:\.\d+)?$/.test(text)) return readTime(Number(text));
  const iso = ISO.exec(text);
  if (iso === null) return /^[A-Z][a-z]{2},? /.test(text) ? validOrNothing(new Date(text)) : undefined;
  const [, day, time = '00:00', fraction = '', zone = 'Z'] = iso;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const seconds = time.length === 5 ? `${time}:00` : time;
  return validOrNothing(new Date(`${day}T${seconds}.${milliseconds}${isoZone(zone)}`));
}

function isoZone(zone: string): string {
  if (!/^[+-]/.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function validOrNothing(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns `2026-10-30 04:39:16`, in every language: the order of digits that sorts, and that no reader
 * takes for another day. `zone` as the reader chose; name it beside the time with `zoneName` where it
 * is not obvious.
 */
export function formatTime(time: Date, zone: Zone, precision: Precision = 'second'): string {
  // A format of Intl takes 10 times as long as this, and a list draws 40 times at once.
  const shifted = zone === 'utc' ? time : new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  const iso = shifted.toISOString();
  const start = iso.indexOf('T');
  const day = iso.slice(0, start);
  const lengths = { day: 0, minute: 5, second: 8, millisecond: 12 } as const;
  return precision === 'day' ? day : `${day} ${iso.slice(start + 1, start + 1 + lengths[precision])}`;
}

function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(language, options);
  formats.set(key, made);
  return made;
}

/** Returns `UTC`, or the short name of the reader's own zone at that moment. */
export function zoneName(time: Date, language: string, zone: Zone): string {
  if (zone === 'utc') return 'UTC';
  const parts = formatOf(language, { timeZoneName: 'short' }).formatToParts(time);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const relative = new Map<string, Intl.RelativeTimeFormat>();

/** Returns `5 min. ago`, `in 2 days`, French `il y a 5 min`; less than a second counts as now. */
export function formatRelative(time: Date, now: Date, language: string): string {
  let format = relative.get(language);
  if (format === undefined) {
    format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
    relative.set(language, format);
  }
  const seconds = (time.getTime() - now.getTime()) / 1000;
  const [unit, length] = UNITS.find((candidate) => Math.abs(seconds) >= candidate[1]) ?? (['second', 1] as const);
  return format.format(Math.trunc(seconds / length) || 0, unit);
}

/**
 * Returns a length of time by its two largest units: `2d 3h`, `45s`, `120ms`. The letters are those of
 * both languages.
 */
export function formatDuration(milliseconds: number, language: string): string {
  const sign = milliseconds < 0 ? '−' : '';
  const total = Math.abs(milliseconds);
  if (total < 1000) return `${sign}${Math.round(total)} ms`;
  const day = language.startsWith('fr') ? 'j' : 'd';
  const parts: [string, number][] = [
    [day, Math.floor(total / 86_400_000)],
    ['h', Math.floor(total / 3_600_000) % 24],
    ['min', Math.floor(total / 60_000) % 60],
    ['s', Math.floor(total / 1000) % 60],
  ];
  const first = parts.findIndex(([, value]) => value > 0);
  const shown = parts.slice(first, first + 2).filter(([, value]) => value > 0);
  return sign + shown.map(([unit, value]) => `${value} ${unit}`).join(' ');
}
