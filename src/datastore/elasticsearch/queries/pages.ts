import type { CheckedPage, FoundPage } from '../../port/datastore-adapter.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from './engine-query.ts';
import { itemOf, sendSearch, sourceBody } from './search-call.ts';
import { collectionSort } from './sort-clauses.ts';

export async function searchDocuments<T>(context: CollectionContext<T>, request: CheckedPage): Promise<FoundPage<T>> {
  const { offset, rows, fields } = request;
  const scored = request.sort[0]?.kind === 'score';
  const query = await collectionQuery(context, request, { scored });
  const sort = await collectionSort(context, request.sort);
  const { hits } = await sendSearch(context, request, {
    query,
    // The window ends where nothing is asked for.
    ...(rows === 0 ? {} : { from: offset, sort: sort.body, ...sourceBody(fields) }),
    size: rows,
    track_total_hits: true,
  });
  return {
    items: hits.hits.map((hit) => itemOf<T>(hit, context.definition.name, fields)),
    total: hits.total?.value ?? 0,
    sortKeys: request.sortKeys ? hits.hits.map((hit) => sort.keysOf(hit.sort ?? [])) : [],
  };
}
