import { useQueries } from '@tanstack/react-query';
import { alerts, dataOf, READ_HEADERS } from '../../../api/clients.ts';

/** Counts the alerts of several queries; undefined while one is counted, null where it was refused. */
export function useCounts(queries: readonly string[]): readonly (number | null | undefined)[] {
  const results = useQueries({
    queries: queries.map((query) => ({
      queryKey: ['alerts', 'hit', 'count', query],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const params = { path: { index: 'hit' } };
        const request = alerts.POST('/api/v2/search/count/{index}', {
          params,
          body: { query, filters: [], timeout: 30_000 },
          headers: READ_HEADERS,
          signal,
        });
        return (await dataOf(request)).count;
      },
      staleTime: 60_000,
    })),
  });
  return results.map(({ data, error }) => (error === null ? data : null));
}
