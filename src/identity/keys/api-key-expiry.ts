import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput } from '../../errors/errors.ts';

const UNIT_MILLISECONDS = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
} as const;

/**
 * When a new API key is to stop working; undefined: never.
 * @param value ISO 8601; without a zone it is UTC. Null and empty count as missing.
 * @param now milliseconds
 * @param at name of the argument
 * @param endsBefore milliseconds at which it has to have ended, whatever the settings say; undefined: whenever
 * @throws InvalidInput `invalid_api_key_expiry`, also when the settings limit the life of keys and this is longer or endless
 */
export function readKeyExpiry(
  value: unknown,
  settings: Settings['auth'],
  now: number,
  at: string,
  endsBefore = Number.POSITIVE_INFINITY,
): Date | undefined {
  const latest = earlier(latestKeyExpiry(settings, now), endsBefore);
  if (value === undefined || value === null || value === '') {
    if (latest === undefined) return undefined;
    throw new InvalidInput('invalid_api_key_expiry', 'API keys must have an expiry date.', { at });
  }
  const expiry = typeof value === 'string' ? parseDate(value) : undefined;
  if (expiry === undefined) {
    throw new InvalidInput('invalid_api_key_expiry', 'Invalid expiry date format. Please use ISO format.', { at });
  }
  if (latest !== undefined && latest < expiry) {
    throw new InvalidInput('invalid_api_key_expiry', `Expiry date must be before ${latest.toISOString()}.`, { at });
  }
  return expiry;
}

/** Dates are stored with six digits of a second. */
export function storedDate(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}

/** Undefined: keys may live for ever. */
function latestKeyExpiry(settings: Settings['auth'], now: number): Date | undefined {
  const { max_apikey_duration_amount: amount, max_apikey_duration_unit: unit } = settings;
  if (!amount || !unit) return undefined;
  return new Date(now + amount * UNIT_MILLISECONDS[unit]);
}

function earlier(date: Date | undefined, milliseconds: number): Date | undefined {
  return milliseconds < (date?.getTime() ?? Number.POSITIVE_INFINITY) ? new Date(milliseconds) : date;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Undefined when it is not ISO 8601. */
function parseDate(text: string): Date | undefined {
  const match = ISO_DATE.exec(text);
  if (!match) return undefined;
  const date = new Date(match[1] === undefined && text.length > 10 ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
