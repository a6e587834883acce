const PLAIN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d\d:?\d\d)?)?$/;
/** Numbers above this one are milliseconds, smaller ones seconds. */
const LARGEST_SECONDS = 20_000_000_000;
const LAST_MILLISECOND = 253_402_300_799_999;

/**
 * Returns a time in ISO 8601; undefined when the value is not a time.
 * UTC becomes `Z`, another offset or none stays, and fractions have six digits. Numbers are seconds or milliseconds
 * since 1970.
 */
export function readTimestamp(value: unknown): string | undefined {
  if (typeof value === 'number') return timeOfNumber(value);
  if (typeof value !== 'string') return undefined;
  if (PLAIN.test(value) && isDate(value)) return value;
  const match = ISO.exec(value.trim());
  if (match === null) return /^-?\d{1,16}(\.\d{1,9})?$/.test(value) ? timeOfNumber(Number(value)) : undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = ''] = match;
  const date = `${year}-${month}-${day}`;
  if (!isDate(`${date}T${hour}:${minute}:${second}Z`)) return undefined;
  const digits = fraction.slice(0, 6).padEnd(6, '0');
  return `${date}T${hour}:${minute}:${second}${Number(digits) === 0 ? '' : `.${digits}`}${writtenOffset(offset)}`;
}

function writtenOffset(offset: string): string {
  if (offset === '') return '';
  const [sign, digits] = [offset[0], offset.slice(1).replace(':', '')];
  if (offset.toUpperCase() === 'Z' || digits === '0000') return 'Z';
  return `${sign}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Returns false for days and hours that do not exist, for example February 30. */
function isDate(plain: string): boolean {
  // The engine takes them for the day after; it refuses everything else.
  return new Date(plain).getUTCDate() === Number(plain.slice(8, 10));
}

function timeOfNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const milliseconds = Math.abs(value) > LARGEST_SECONDS ? value : value * 1_000;
  if (Math.abs(milliseconds) > LAST_MILLISECOND) return undefined;
  const text = new Date(Math.round(milliseconds)).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, 19)}Z` : `${text.slice(0, 23)}000Z`;
}
