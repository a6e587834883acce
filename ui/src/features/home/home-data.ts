import { alerts, dataOf, READ_HEADERS } from '../../api/clients.ts';
import type { AlertRow } from '../alerts/list/alert-source.ts';

const SEARCH = { filters: [], offset: 0, metadata: [], timeout: 30_000, use_archive: false, track_total_hits: true };
const FIELDS =
  'howler.id,howler.analytic,howler.detection,howler.outline,howler.escalation,howler.status,event.severity,event.created,event.risk_score,howler.score';

/** Returns the first alerts of a query and how many it has. */
export async function firstAlerts(query: string, sort: string, rows: number, signal: AbortSignal, fl = FIELDS) {
  const found = await dataOf(
    alerts.POST('/api/v2/search/{indexes}', {
      params: { path: { indexes: 'hit' } },
      body: { ...SEARCH, query, sort, rows, fl },
      headers: READ_HEADERS,
      signal,
    }),
  );
  return { items: found.items as unknown as AlertRow[], total: found.total };
}

/** Returns the values of a field with their counts, the most frequent first. */
export async function valueCounts(query: string, field: string, rows: number, signal: AbortSignal) {
  const body = { fields: [field], query, filters: [], mincount: 1, rows, timeout: 30_000 };
  const found = await dataOf(
    alerts.POST('/api/v2/search/facet/{indexes}', {
      params: { path: { indexes: 'hit' } },
      body,
      headers: READ_HEADERS,
      signal,
    }),
  );
  const counts = Object.entries(found[field] ?? {}).map(([value, count]) => ({ value, count: Number(count) }));
  return counts.toSorted((left, right) => right.count - left.count);
}
