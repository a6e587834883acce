import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { searchRecords } from '../../api/alert-searches.ts';
import { useLater } from '../../design/forms/use-later.ts';
import type { Alert } from '../alerts/triage/alert.ts';

/** Alerts that a preview offers. */
const ROWS = 5;

/**
 * Reads the newest alerts of a query, once it has not changed for a moment. An empty query finds none.
 * @param indexes kinds of records, separated by commas. Default: alerts
 */
export function useNewestAlerts(query: string, indexes = 'hit') {
  const later = useLater(query);
  const result = useQuery({
    queryKey: ['alerts', 'hit', 'newest', indexes, later],
    queryFn: async ({ signal }) => {
      const search = { query: later, rows: ROWS, sort: 'event.created desc' };
      const { items, total } = await searchRecords<Alert>(search, { indexes, signal });
      return { alerts: items, total };
    },
    enabled: later.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { ...result, searched: later, hasEvents: indexes.split(',').includes('event') };
}
