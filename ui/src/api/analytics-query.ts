import { alerts, dataOf } from './clients.ts';

/** The analytics that this account sees, 1,000 at most. */
export const analyticsQuery = {
  queryKey: ['alerts', 'analytic'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(alerts.GET('/api/v1/analytic/', { signal })),
};
