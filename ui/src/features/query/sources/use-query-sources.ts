import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useSession } from '../../../shell/session-context.tsx';
import type { CompletionSources } from '../language/completions.ts';
import { collapseWords } from '../words/collapse-words.ts';
import { countedValues, type LoadValues } from './counted-values.ts';
import { QueryHistory } from './query-history.ts';
import { viewsQuery } from './saved-views.ts';

export interface QuerySourcesOptions {
  /** The page, whose queries are remembered together. */
  readonly place: string;
  /** Counts values on the server; keep the function. */
  readonly load: LoadValues;
  /** The filters of the page, by which values are counted. Default: none. */
  readonly filters?: readonly string[];
  /** True where the queries of views can be run. */
  readonly hasViews?: boolean;
}

const NO_FILTERS: readonly string[] = [];

/** Returns where a query bar finds values, views and earlier queries of this person, and the latter. */
export function useQuerySources({ place, load, filters = NO_FILTERS, hasViews = false }: QuerySourcesOptions): {
  readonly sources: CompletionSources;
  readonly history: QueryHistory;
} {
  const { username } = useSession().session;
  const queryClient = useQueryClient();
  const present = useRef(filters);
  useEffect(() => {
    present.current = filters;
  });
  return useMemo(() => {
    const history = new QueryHistory(username, place);
    if (hasViews) void queryClient.prefetchQuery(viewsQuery);
    const views = () => queryClient.getQueryData<readonly SavedView[]>(viewsQuery.queryKey) ?? [];
    const saved = () => views().map(({ title, query }) => ({ name: title, query: collapseWords(query) }));
    const values = countedValues(load, () => present.current);
    return { history, sources: { values, history: () => history.all(), ...(hasViews ? { saved } : {}) } };
  }, [queryClient, username, place, load, hasViews]);
}

interface SavedView {
  readonly title: string;
  readonly query: string;
}
