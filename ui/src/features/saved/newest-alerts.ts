import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { quotedPhrase } from '../../../../src/datastore/query-language/written-values.ts';
import { alerts, dataOf, READ_HEADERS } from '../../api/clients.ts';
import type { Alert } from '../alerts/triage/alert.ts';
import { useLater } from '../alerts/triage/use-later.ts';

/** Alerts that a preview offers. */
const ROWS = 5;

/** Reads the newest alerts of a query, once it has not changed for a moment. An empty query finds none. */
export function useNewestAlerts(query: string, indexes = 'hit') {
  const later = useLater(query);
  const result = useQuery({
    queryKey: ['alerts', 'hit', 'newest', indexes, later],
    queryFn: async ({ signal }) => {
      const { items, total } = await dataOf(
        alerts.POST('/api/v2/search/{indexes}', {
          params: { path: { indexes } },
          body: { query: later, rows: ROWS, sort: 'event.created desc' },
          headers: READ_HEADERS,
          signal,
        }),
      );
      return { alerts: items as unknown as readonly Alert[], total };
    },
    enabled: later.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { ...result, searched: later };
}

/** Returns the query for the alerts of an analytic, and of one of its detections where it is given. */
export function queryOfAnalytic(analytic: string, detection?: string | undefined): string {
  if (analytic === '') return '';
  const query = `howler.analytic:${quotedPhrase(analytic)}`;
  return detection === undefined || detection === ''
    ? query
    : `${query} AND howler.detection:${quotedPhrase(detection)}`;
}
