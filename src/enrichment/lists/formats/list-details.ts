import { readTimestamp } from '../../models/timestamp.ts';
import type { ListDetails } from '../list-entry.ts';

const MAX_TEXT = 1000;
const MAX_TAGS = 100;

/** Returns the details that say something, within limits; undefined when none does. */
export function detailsFrom(given: ListDetails): ListDetails | undefined {
  const link = given.link?.trim() ?? '';
  const details = {
    ...given,
    author: shortened(given.author),
    tags: bounded(given.tags),
    killChain: bounded(given.killChain),
    summary: shortened(given.summary),
    link: /^https?:\/\/[^\s]{1,2000}$/i.test(link) ? link : undefined,
  };
  return Object.values(details).some((value) => value !== undefined) ? details : undefined;
}

/** Returns a time in UTC, read as UTC when it names no offset. */
export function isoTime(value: unknown): string | undefined {
  const time = readTimestamp(typeof value === 'string' ? value.replace(/ UTC$/, 'Z') : value);
  if (time === undefined) return undefined;
  const instant = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`);
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString();
}

/** Returns a confidence of 0 to 1 or of 0 to 100 as a fraction; 1 means certain. */
export function confidenceOf(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && /^[0-9]{1,3}(?:\.[0-9]{1,9})?%?$/.test(value) ? Number.parseFloat(value) : value;
  if (typeof number !== 'number' || !(number >= 0 && number <= 100)) return undefined;
  return number <= 1 ? number : number / 100;
}

/** Returns a string within limits. A part is copied, because it would keep the whole string in memory. */
export function shortened(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  return trimmed.length > MAX_TEXT ? `${Buffer.from(trimmed.slice(0, MAX_TEXT - 1)).toString()}…` : trimmed;
}

function bounded(words: readonly string[] | undefined): readonly string[] | undefined {
  const kept = (words ?? []).slice(0, MAX_TAGS).flatMap((word) => shortened(word) ?? []);
  return kept.length === 0 ? undefined : kept;
}
