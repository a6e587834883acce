import type { QueryClient } from '@tanstack/react-query';
import { escapedTerm } from '../../../../../src/datastore/query-language/written-values.ts';
import { alerts, dataOf, READ_HEADERS } from '../../../api/clients.ts';
import type { CompletionSources } from '../../query/language/completions.ts';

const MAX_HISTORY = 50;
const MAX_VALUES = 20;
const VIEWS = ['alerts', 'views'] as const;

/** Returns where the query bar finds values, views and the queries of this person. */
export function completionSources(queryClient: QueryClient, username: string): CompletionSources {
  void queryClient.prefetchQuery(viewsQuery);
  return {
    async values({ name }, typed, rest, signal) {
      const prefix = typed === '' ? [] : [`${name}:${escapedTerm(typed)}*`];
      const body = { fields: [name], query: rest, filters: prefix, mincount: 1, rows: MAX_VALUES, timeout: 5000 };
      const path = { indexes: 'hit' };
      const found = await dataOf(
        alerts.POST('/api/v2/search/facet/{indexes}', { params: { path }, body, headers: READ_HEADERS, signal }),
      );
      const counts = Object.entries(found[name] ?? {});
      return counts.map(([value, count]) => ({ value, count: Number(count) })).toSorted((a, b) => b.count - a.count);
    },
    saved: () =>
      (queryClient.getQueryData<readonly SavedView[]>(VIEWS) ?? []).map(({ title, query }) => ({ name: title, query })),
    history: () => readHistory(username),
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

/** Keeps a query that was run at the front of the history of this browser. */
export function rememberQuery(username: string, query: string): void {
  if (query.trim() === '') return;
  const history = [query, ...readHistory(username).filter((one) => one !== query)].slice(0, MAX_HISTORY);
  try {
    localStorage.setItem(storageKey(username), JSON.stringify(history));
  } catch {
    // Storage is full or switched off: there is no history then.
  }
}

function readHistory(username: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(username)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

const storageKey = (username: string) => `triad.queries.${username}`;
