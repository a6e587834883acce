import { facetsOf } from '../../api/alert-searches.ts';
import { analyticsQuery } from '../../api/analytics-query.ts';
import { alerts, dataOf, versionedDataOf } from '../../api/clients.ts';
import { changedMembers } from '../../design/forms/form-state.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import type { SavedObject } from '../saved/form/write-members.ts';

export const analyticByIdQuery = (id: string) => ({
  queryKey: [...analyticsQuery.queryKey, 'id', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    dataOf(alerts.GET('/api/v1/analytic/{id}', { params: { path: { id } }, signal })),
});

/** Returns how some members of an analytic are read and written. */
export function storedAnalytic<Values extends object>(
  { analytic_id: id }: Analytic,
  valuesOf: (analytic: Analytic) => Values,
  bodyOf: (changed: Partial<Values>) => AnalyticChange,
): SavedObject<Analytic, Values> {
  const params = { path: { id } };
  return {
    valuesOf,
    read: () =>
      versionedDataOf(alerts.GET('/api/v1/analytic/{id}', { params: { ...params, query: { versioned: true } } })),
    write: (wanted, present, headers) => {
      const body: Readonly<Record<string, unknown>> = { ...bodyOf(changedMembers(wanted, present)) };
      return dataOf(alerts.PUT('/api/v1/analytic/{id}', { params, body, headers }));
    },
  };
}

interface AnalyticChange {
  readonly description?: string;
  readonly triage_settings?: object;
}

/** Counts the values of fields among the alerts of a query. */
export const countsQuery = (query: string, fields: readonly string[]) => ({
  queryKey: ['alerts', 'hit', 'counts', query, ...fields],
  queryFn: ({ signal }: { signal: AbortSignal }) => facetsOf({ fields, query, rows: MAX_VALUES }, { signal }),
});

const MAX_VALUES = 1000;

/** Returns the count of a value whose case may differ between alerts and analytics. */
export function countOf(counts: Readonly<Record<string, number>> | undefined, value: string): number {
  const wanted = value.toLowerCase();
  return Object.entries(counts ?? {}).reduce(
    (sum, [name, count]) => (name.toLowerCase() === wanted ? sum + count : sum),
    0,
  );
}
