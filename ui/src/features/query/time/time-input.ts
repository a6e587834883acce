import type { Zone } from '../../../design/data/values/date-format.ts';

/** Returns a time for an `input` of type `datetime-local`, which knows no zone; empty for none. */
export function inputTime(time: number | undefined, zone: Zone): string {
  if (time === undefined) return '';
  const date = new Date(time);
  const shifted = zone === 'utc' ? time : time - date.getTimezoneOffset() * 60_000;
  const iso = new Date(shifted).toISOString();
  // Years beyond four digits do not fit into the input.
  return iso.length > 'YYYY-MM-DDTHH:MM:SS.mmmZ'.length ? '' : iso.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}

/** Returns the moment of such an input as ISO 8601; undefined for an empty or unfinished one. */
export function momentOfInput(text: string, zone: Zone): string | undefined {
  const time = text === '' ? Number.NaN : Date.parse(zone === 'utc' ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
