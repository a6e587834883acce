import { compareCodePoints } from '../query-language/code-point-order.ts';
import type { ReadAccess } from '../read-access.ts';
import { checkWindow } from '../result-window.ts';
import type { SearchRequest, SearchResult, SortClause } from '../search.ts';
import type { SqlValue } from './column-database.ts';
import type { EmbeddedCollection } from './embedded-collection.ts';

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
  candidates.sort((a, b) => compareKeys(a.sortKeys, b.sortKeys, sort));
  return {
    items: candidates.slice(offset, offset + rows).map(({ item }) => item),
    total: results.reduce((sum, { total }) => sum + total, 0),
    offset,
  };
}

function compareKeys(a: readonly SqlValue[], b: readonly SqlValue[], sort: readonly SortClause[]): number {
  for (const [at, { order, missing }] of sort.entries()) {
    const [x, y] = [a[at] ?? null, b[at] ?? null];
    if (x === null || y === null) {
      if (x === y) continue;
      return (x === null) === (missing === 'first') ? -1 : 1;
    }
    const compared = compareValues(x, y);
    if (compared !== 0) return order === 'asc' ? compared : -compared;
  }
  return 0;
}

function compareValues(a: SqlValue, b: SqlValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  const [x, y] = [a as number | bigint, b as number | bigint];
  return x < y ? -1 : x > y ? 1 : 0;
}
