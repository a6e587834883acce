import { facetsOf } from '../../../api/alert-searches.ts';
import type { LoadValues } from './counted-values.ts';

/**
 * Returns a request for values to the facets of the alert service, of one index or several:
 * `hit,event`.
 */
export function alertValues(indexes: string): LoadValues {
  return async ({ field, query, filters, rows }, signal) =>
    (await facetsOf({ fields: [field], query, filters, rows }, { indexes, signal }))[field] ?? {};
}
