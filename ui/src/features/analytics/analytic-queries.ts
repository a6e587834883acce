import { facetsOf } from '../../api/alert-searches.ts';
import { alerts, dataOf } from '../../api/clients.ts';

/** The analytics that this account sees, 1,000 at most. */
export const analyticsQuery = {
  queryKey: ['alerts', 'analytic'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(alerts.GET('/api/v1/analytic/', { signal })),
};

export const analyticByIdQuery = (id: string) => ({
  queryKey: ['alerts', 'analytic', 'id', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    dataOf(alerts.GET('/api/v1/analytic/{id}', { params: { path: { id } }, signal })),
});

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
