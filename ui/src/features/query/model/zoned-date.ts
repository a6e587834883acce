import { parseDateMath } from '../../../../../src/datastore/query-language/date-parsing.ts';
import type { Zone } from '../../../design/data/values/date-format.ts';

/** A date that says its zone, or only milliseconds, which need none. */
const HAS_ZONE = /T.*(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)$|^-?\d{10,}$/;

/**
 * Returns a date of the query language so that days, weeks and months begin in the zone of the reader;
 * the language itself rounds in UTC. Date math stays relative to `now`, so that a saved query is about
 * another day tomorrow: `now/d` becomes `now-300m/d+300m`.
 * @param roundUp true for the end of a range
 */
export function zonedDate(
  text: string,
  roundUp: boolean,
  { now, zone = 'utc' }: { readonly now: Date; readonly zone?: Zone | undefined },
): string {
  if (zone === 'utc') return text;
  if (!text.startsWith('now')) {
    const wallClock = HAS_ZONE.test(text.split('||')[0] ?? '') ? undefined : parseDateMath(text, now, { roundUp });
    const moment = typeof wallClock === 'number' ? momentOf(wallClock) : Number.NaN;
    return Number.isNaN(moment) ? text : new Date(moment).toISOString();
  }
  if (!text.includes('/')) return text;
  const local = `now${minutes(-now.getTimezoneOffset())}${text.slice('now'.length)}`;
  const wallClock = parseDateMath(local, now, { roundUp });
  const moment = typeof wallClock === 'number' ? momentOf(wallClock) : Number.NaN;
  // Where the clocks change in between, the offset at that day is another one than now.
  return Number.isNaN(moment) ? text : `${local}${minutes(new Date(moment).getTimezoneOffset())}`;
}

/** Returns the moment at which clocks of the reader show what those of UTC show at another one. */
function momentOf(wallClock: number): number {
  const shown = new Date(wallClock);
  const day = new Date(0);
  day.setFullYear(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate());
  return day.setHours(shown.getUTCHours(), shown.getUTCMinutes(), shown.getUTCSeconds(), shown.getUTCMilliseconds());
}

function minutes(offset: number): string {
  return offset === 0 ? '' : `${offset > 0 ? '+' : '-'}${Math.abs(offset)}m`;
}
