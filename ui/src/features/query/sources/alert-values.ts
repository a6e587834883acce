import { alerts, dataOf, READ_HEADERS } from '../../../api/clients.ts';
import type { LoadValues } from './counted-values.ts';

/**
 * Returns a request for values to the facets of the alert service, of one index or several:
 * `hit,event`.
 */
export function alertValues(indexes: string): LoadValues {
  return async ({ field, query, filters, rows }, signal) => {
    const counts = await dataOf(
      alerts.POST('/api/v2/search/facet/{indexes}', {
        params: { path: { indexes } },
        body: { fields: [field], query, filters: [...filters], rows },
        headers: READ_HEADERS,
        signal,
      }),
    );
    return counts[field] ?? {};
  };
}
