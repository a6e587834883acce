import type { ReadAccess } from '../../port/read-access.ts';
import { checkWindow } from '../../port/result-window.ts';
import type { SearchRequest, SearchResult, Selection, SortClause } from '../../port/search.ts';
import type { CollectionContext } from '../collection-context.ts';
import { cursorPage } from './cursors.ts';
import { collectionQuery } from './engine-query.ts';
import { itemOf, sourceBody } from './found-items.ts';
import { sendSearch } from './search-call.ts';
import { engineSort } from './sort-clauses.ts';

export const DEFAULT_ROWS = 25;

/**
 * One page of a collection, of all indices behind its alias.
 * @throws InvalidInput `unknown_sort_field`, `result_window_too_large`, `invalid_rows`, `invalid_query`, `unknown_cursor`;
 *   Unavailable `search_timeout`, `datastore_unavailable`
 */
export async function searchDocuments<T>(
  context: CollectionContext<T>,
  request: SearchRequest,
  access: ReadAccess,
): Promise<SearchResult<T>> {
  const { offset = 0, rows = DEFAULT_ROWS, cursor, fields, timeout } = request;
  checkWindow(cursor === undefined ? offset : 0, rows);
  await context.ready();
  if (cursor !== undefined) return cursorPage(context, { ...request, cursor, rows }, access);
  const severalIndices = (await context.indices()).length > 1;
  const sort = engineSort(context.definition, sortOf(context, request.sort), { severalIndices });
  const { hits } = await sendSearch(context, {
    timeout,
    body: {
      query: await collectionQuery(context, request, access),
      // The window ends where nothing is asked for.
      ...(rows === 0 ? {} : { from: offset, sort: sort.body, ...sourceBody(fields) }),
      size: rows,
      track_total_hits: true,
    },
  });
  return {
    items: hits.hits.map((hit) => itemOf<T>(hit, context.definition.name, fields)),
    total: hits.total?.value ?? 0,
    offset,
  };
}

export async function countDocuments<T>(
  context: CollectionContext<T>,
  selection: Selection,
  access: ReadAccess,
): Promise<number> {
  await context.ready();
  const query = await collectionQuery(context, selection, access);
  const { hits } = await sendSearch(context, { body: { query, size: 0, track_total_hits: true } });
  return hits.total?.value ?? 0;
}

/** The order asked for, else the collection's own. */
export function sortOf<T>(
  { definition }: CollectionContext<T>,
  sort: readonly SortClause[] | undefined,
): readonly SortClause[] {
  return sort ?? definition.defaultSort;
}
