import { type Found, facetsOf, searchRecords } from '../../api/alert-searches.ts';
import { byCount, type ValueCount } from '../../api/value-counts.ts';
import type { AlertRow } from '../alerts/list/results/alert-source.ts';
import type { CardSearch } from './card-search.ts';

/** Begins the keys of what cards read again after each change of an alert. */
export const HOME_KEY = ['alerts', 'home'] as const;

/** Milliseconds after which a card gives up; the page has many of them. */
const TIMEOUT = 30_000;
const FIELDS =
  'howler.id,howler.analytic,howler.detection,howler.outline,howler.escalation,howler.status,event.severity,event.created,event.risk_score,howler.score';

/** Returns the first alerts of a search and how many it has. */
export function firstAlerts(
  { indexes, ...search }: CardSearch,
  rows: number,
  signal: AbortSignal,
  fl = FIELDS,
): Promise<Found<AlertRow>> {
  return searchRecords({ ...search, rows, fl, track_total_hits: true, timeout: TIMEOUT }, { indexes, signal });
}

/** Returns the values of a field with their counts, the most frequent first. */
export async function valueCounts(
  query: string,
  field: string,
  rows: number,
  signal: AbortSignal,
): Promise<readonly ValueCount[]> {
  const facets = await facetsOf({ fields: [field], query, rows, timeout: TIMEOUT }, { signal });
  return byCount(facets[field]);
}
