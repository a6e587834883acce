import type { FacetRequest, FacetResult } from '../../datastore/port/search.ts';

/** Lists the most frequent values of a field in one collection. */
export type FacetSource = (request: Pick<FacetRequest, 'rows' | 'minCount' | 'include'>) => Promise<FacetResult>;

/**
 * Counts the most frequent values over several collections together, exactly.
 * Each lists its most frequent values, is asked for the counts of those that only others listed, and lists more until no
 * unlisted value can be frequent enough.
 */
export async function mergedFacet(
  sources: readonly FacetSource[],
  { rows, minCount }: { readonly rows: number; readonly minCount: number },
): Promise<Record<string, number>> {
  const [only, ...others] = sources;
  if (only && others.length === 0) {
    const { buckets } = await only({ rows, minCount });
    return Object.fromEntries(buckets.map(({ label, count }) => [label, count]));
  }
  for (let listed = Math.max(100, rows); ; listed *= 4) {
    const results = await Promise.all(sources.map((source) => source({ rows: listed, minCount: 1 })));
    const keys = new Map(
      results.flatMap(({ buckets }) => buckets.map((bucket) => [bucket.label, bucket.key] as const)),
    );
    const counts = new Map<string, number>();
    let unseen = 0;
    for (const [index, { buckets, other }] of results.entries()) {
      for (const { label, count } of buckets) counts.set(label, (counts.get(label) ?? 0) + count);
      if (other === 0 || buckets.length < listed) continue;
      unseen += buckets.at(-1)?.count ?? 0;
      const own = new Set(buckets.map((bucket) => bucket.label));
      const missing = [...keys].filter(([label]) => !own.has(label)).map(([, key]) => String(key));
      if (missing.length === 0) continue;
      const rest = await sources[index]?.({ rows: missing.length, minCount: 1, include: missing });
      for (const { label, count } of rest?.buckets ?? []) counts.set(label, (counts.get(label) ?? 0) + count);
    }
    const best = [...counts]
      .filter(([, count]) => count >= minCount)
      .sort(([leftKey, left], [rightKey, right]) => right - left || (leftKey < rightKey ? -1 : 1))
      .slice(0, rows);
    const worst = best.length < rows ? minCount : (best.at(-1)?.[1] ?? 0);
    if (unseen === 0 || (best.length === rows && unseen <= worst)) return Object.fromEntries(best);
  }
}
