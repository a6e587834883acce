import { alerts, dataOf } from '../../../api/clients.ts';

/** The views that this account sees: queries of alerts with their order, columns and span. */
export const viewsQuery = {
  queryKey: ['alerts', 'views'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(alerts.GET('/api/v1/view/', { signal })),
};
