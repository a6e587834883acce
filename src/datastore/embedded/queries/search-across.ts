import type { ReadAccess } from '../../port/read-access.ts';
import { checkWindow } from '../../port/result-window.ts';
import type { SearchRequest, SearchResult, SortClause } from '../../port/search.ts';
import { compareSortKeys } from '../../semantics/merged-order.ts';
import type { EmbeddedCollection } from '../embedded-collection.ts';

type Request = SearchRequest & { readonly sort: readonly SortClause[] };

/** One page over several collections: each gives its best documents, the best of those are the page. */
export async function searchAcross(
  parts: readonly { readonly collection: EmbeddedCollection<unknown>; readonly request: Request }[],
  access: ReadAccess,
): Promise<SearchResult<unknown>> {
  const [first] = parts;
  if (!first) return { items: [], total: 0, offset: 0 };
  const { offset = 0, rows = 25, sort } = first.request;
  checkWindow(offset, rows);
  const results = await Promise.all(
    parts.map(({ collection, request }) => collection.best(request, offset + rows, access)),
  );
  const candidates = results.flatMap(({ items }) => items);
  candidates.sort((a, b) => compareSortKeys(a.sortKeys, b.sortKeys, sort));
  return {
    items: candidates.slice(offset, offset + rows).map(({ item }) => item),
    total: results.reduce((sum, { total }) => sum + total, 0),
    offset,
  };
}
