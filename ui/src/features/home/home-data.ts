import { type Found, facetsOf, searchRecords } from '../../api/alert-searches.ts';
import { byCount, type ValueCount } from '../../api/value-counts.ts';
import type { AlertRow } from '../alerts/list/results/alert-source.ts';

/** Milliseconds after which a card gives up; the page has many of them. */
const TIMEOUT = 30_000;
const FIELDS =
  'howler.id,howler.analytic,howler.detection,howler.outline,howler.escalation,howler.status,event.severity,event.created,event.risk_score,howler.score';

/** Returns the first alerts of a query and how many it has. */
export function firstAlerts(
  query: string,
  sort: string,
  rows: number,
  signal: AbortSignal,
  fl = FIELDS,
): Promise<Found<AlertRow>> {
  return searchRecords({ query, sort, rows, fl, track_total_hits: true, timeout: TIMEOUT }, { signal });
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
