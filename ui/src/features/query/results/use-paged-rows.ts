import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

const PAGE = 100;
/** The window of offsets of the search. */
const MAX_ROWS = 10_000;

/** A page of a search. */
export interface FoundPage<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export interface PagedRows<Row> {
  readonly rowCount: number;
  /** Undefined until the first answer. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => Row | undefined;
  readonly onVisibleRange: (first: number, last: number) => void;
  readonly problem: Error | null;
  readonly retry: () => void;
}

/** Reads the pages of a search that are in sight; those out of sight stay in the cache of queries. */
export function usePagedRows<Row>(
  key: readonly unknown[],
  load: (offset: number, rows: number, signal: AbortSignal) => Promise<FoundPage<Row>>,
): PagedRows<Row> {
  const [range, setRange] = useState({ first: 0, last: 0 });
  const pages = [...new Set([0, ...pagesOf(range)])];
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => load(page * PAGE, PAGE, signal),
      placeholderData: page === 0 ? keepPreviousData : undefined,
    })),
  });
  const rows = new Map(pages.map((page, place) => [page, results[place]?.data?.items]));
  const total = results[0]?.data?.total;
  return {
    rowCount: Math.min(total ?? 0, MAX_ROWS),
    total,
    rowAt: (index) => rows.get(Math.floor(index / PAGE))?.[index % PAGE],
    onVisibleRange: useCallback((first: number, last: number) => setRange({ first, last }), []),
    problem: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

function pagesOf({ first, last }: { readonly first: number; readonly last: number }): number[] {
  const start = Math.floor(first / PAGE);
  return Array.from({ length: Math.floor(last / PAGE) - start + 1 }, (_, place) => start + place);
}
