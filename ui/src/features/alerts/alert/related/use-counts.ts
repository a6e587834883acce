import { useQueries } from '@tanstack/react-query';
import { countRecords } from '../../../../api/alert-searches.ts';

/** Counts the alerts of several queries; undefined while one is counted, null where it was refused. */
export function useCounts(queries: readonly string[]): readonly (number | null | undefined)[] {
  const results = useQueries({
    queries: queries.map((query) => ({
      queryKey: ['alerts', 'hit', 'count', query],
      queryFn: ({ signal }: { signal: AbortSignal }) => countRecords({ query, timeout: 30_000 }, { signal }),
      staleTime: 60_000,
    })),
  });
  return results.map(({ data, error }) => (error === null ? data : null));
}
