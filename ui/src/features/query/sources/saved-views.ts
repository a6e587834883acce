import type { QueryClient } from '@tanstack/react-query';
import { alerts, dataOf } from '../../../../api/clients.ts';
import type { CompletionSources } from '../../../query/language/completions.ts';
import { alertValues } from '../../../query/sources/alert-values.ts';
import { countedValues } from '../../../query/sources/counted-values.ts';
import type { QueryHistory } from '../../../query/sources/query-history.ts';

const VIEWS = ['alerts', 'views'] as const;

/**
 * Returns where the query bar finds values, views and the queries of this person.
 * @param filters the filters of the list at that time, by which values are counted
 */
export function completionSources(
  queryClient: QueryClient,
  history: QueryHistory,
  filters: () => readonly string[],
): CompletionSources {
  void queryClient.prefetchQuery(viewsQuery);
  return {
    values: countedValues(alertValues('hit'), filters),
    saved: () =>
      (queryClient.getQueryData<readonly SavedView[]>(VIEWS) ?? []).map(({ title, query }) => ({ name: title, query })),
    history: () => history.all(),
  };
}

interface SavedView {
  readonly title: string;
  readonly query: string;
}

/** The views that this account sees. */
export const viewsQuery = {
  queryKey: VIEWS,
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(alerts.GET('/api/v1/view/', { signal })),
};
