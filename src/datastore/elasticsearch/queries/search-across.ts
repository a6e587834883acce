import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { ReadAccess } from '../../port/read-access.ts';
import { checkWindow } from '../../port/result-window.ts';
import type { SearchItem, SearchRequest, SearchResult, SortClause } from '../../port/search.ts';
import { compareSortKeys } from '../../semantics/merged-order.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from './engine-query.ts';
import { itemOf, sourceBody } from './found-items.ts';
import { DEFAULT_ROWS } from './pages.ts';
import { sendSearch } from './search-call.ts';
import { engineSort, type SortKey } from './sort-clauses.ts';

export type AcrossRequest = SearchRequest & { readonly sort: readonly SortClause[] };

interface Candidate {
  readonly item: SearchItem<unknown>;
  readonly keys: readonly SortKey[];
}

/**
 * One page over several collections, merged by `sort`: each gives its best documents, the best of
 * those are the page.
 * @throws InvalidInput `unknown_sort_field`, `result_window_too_large`, `invalid_rows`; Unavailable `search_timeout`
 */
export async function searchAcross(
  contexts: readonly CollectionContext<unknown>[],
  request: (definition: CollectionDefinition<unknown>) => AcrossRequest,
  access: ReadAccess,
): Promise<SearchResult<unknown>> {
  const parts = contexts.map((context) => ({ context, request: request(context.definition) }));
  const [first] = parts;
  if (!first) return { items: [], total: 0, offset: 0 };
  const { offset = 0, rows = DEFAULT_ROWS, sort } = first.request;
  checkWindow(offset, rows);
  const results = await Promise.all(parts.map((part) => best(part.context, part.request, offset + rows, rows, access)));
  const candidates = results.flatMap((result) => result.candidates);
  candidates.sort((a, b) => compareSortKeys(a.keys, b.keys, sort));
  return {
    items: candidates.slice(offset, offset + rows).map(({ item }) => item),
    total: results.reduce((sum, { total }) => sum + total, 0),
    offset,
  };
}

async function best(
  context: CollectionContext<unknown>,
  request: AcrossRequest,
  count: number,
  rows: number,
  access: ReadAccess,
): Promise<{ candidates: readonly Candidate[]; total: number }> {
  await context.ready();
  const severalIndices = (await context.indices()).length > 1;
  const sort = engineSort(context.definition, request.sort, { severalIndices });
  const { hits } = await sendSearch(context, {
    timeout: request.timeout,
    body: {
      query: await collectionQuery(context, request, access),
      size: rows === 0 ? 0 : count,
      track_total_hits: true,
      ...(rows === 0 ? {} : { sort: sort.body, ...sourceBody(request.fields) }),
    },
  });
  const candidates = hits.hits.map((hit) => ({
    item: itemOf<unknown>(hit, context.definition.name, request.fields),
    keys: sort.keysOf(hit.sort ?? []),
  }));
  return { candidates, total: hits.total?.value ?? 0 };
}
