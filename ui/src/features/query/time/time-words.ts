import { formatTime, readTime, type Zone } from '../../../design/data/values/date-format.ts';
import type { Translate } from '../../../i18n/translation.ts';
import { durationOf, periodOf, type TimeRange } from '../model/time-range.ts';

const DURATION = /^(\d+)([smhdwMy])$/;
type Unit = 's' | 'm' | 'h' | 'd' | 'w' | 'M' | 'y';

/** Names of ranges that are written by rounding. */
const NAMED: Readonly<Record<string, 'today' | 'yesterday' | 'thisWeek' | 'thisMonth'>> = {
  'now/d..now/d': 'today',
  'now-1d/d..now-1d/d': 'yesterday',
  'now/w..now/w': 'thisWeek',
  'now/M..now/M': 'thisMonth',
};

/** Returns a range in a few words, `Last 7 days`; times in the zone of the reader. */
export function timeWords(range: TimeRange | undefined, zone: Zone, t: Translate): string {
  if (range === undefined) return t('query.time.all');
  if (range.kind === 'last_visit') return t('query.time.lastVisit');
  const [, amount, unit] = DURATION.exec(durationOf(range) ?? '') ?? [];
  if (amount !== undefined && unit !== undefined) {
    return t(`query.time.last.${unit as Unit}`, { count: Number(amount) });
  }
  const named = NAMED[`${range.from}..${range.to}`];
  if (named !== undefined) return t(`query.time.${named}`);
  const period = periodOf(range);
  if (period !== undefined) return period;
  const [from, to] = [range.from, range.to].map((side) => side && momentOf(side, zone));
  if (from === undefined) return to === undefined ? t('query.time.all') : t('query.time.until', { to });
  return to === undefined ? t('query.time.since', { from }) : t('query.time.between', { from, to });
}

/** Returns a date as the reader sees times; date math stays as it is written. */
function momentOf(text: string, zone: Zone): string {
  const time = /^\d{4}-\d\d-\d\d[T\d:.]*Z$/.test(text) ? readTime(text) : undefined;
  return time === undefined ? text : formatTime(time, zone, time.getTime() % 60_000 === 0 ? 'minute' : 'second');
}
