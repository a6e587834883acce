import type { SortClause } from '../port/search.ts';
import { compareCodePoints } from '../regular-language/code-points.ts';

/** The sort values of a document, one for each clause; null: missing. */
export type SortKeys = readonly unknown[];

/** Order of documents of several collections. 0: as equal as the order of their collections. */
export function compareSortKeys(a: SortKeys, b: SortKeys, sort: readonly SortClause[]): number {
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

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  const [x, y] = [a as number | bigint, b as number | bigint];
  return x < y ? -1 : x > y ? 1 : 0;
}
