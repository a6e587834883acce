import { exactInteger } from '../../../json/lossless-json.ts';
import type { CheckedStats } from '../../port/datastore-adapter.ts';
import { NO_STATS, type StatsResult } from '../../port/search.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from '../queries/engine-query.ts';
import type { Dsl } from '../queries/engine-values.ts';
import { aggregate, sendSearch } from '../queries/search-call.ts';
import { valuesOf } from './aggregated-values.ts';

/** Returns figures over every value of a field: the sum in compensated doubles, the extremes exact. */
export async function statsOf<T>(context: CollectionContext<T>, request: CheckedStats): Promise<StatsResult> {
  const { field } = request;
  const stats = valuesOf(context, field, request.missing);
  const query = await collectionQuery(context, request);
  const { figures } = await aggregate<{ readonly figures: StatsResult }>(context, request, query, {
    figures: { stats },
  });
  const { count, min, max, avg, sum } = figures;
  if (count === 0 || min === null || max === null) return NO_STATS;
  const exact = async (figure: number | bigint, order: 'asc' | 'desc'): Promise<number | bigint> =>
    field.searchKind === 'long' && !Number.isSafeInteger(Number(figure))
      ? await extreme(context, request, query, order, Number(figure))
      : Number(figure);
  return {
    count,
    min: await exact(min, 'asc'),
    max: await exact(max, 'desc'),
    avg: avg === null ? null : Number(avg),
    sum: Number(sum),
  };
}

/** Returns the exact extreme, as doubles cannot; `rounded` may be the value for missing ones. */
async function extreme(
  context: CollectionContext<unknown>,
  request: CheckedStats,
  query: Dsl,
  order: 'asc' | 'desc',
  rounded: number,
): Promise<number | bigint> {
  const { path } = request.field;
  const { hits } = await sendSearch(context, request, {
    query: { bool: { filter: [query, { exists: { field: path } }] } },
    size: 1,
    track_total_hits: false,
    _source: false,
    sort: [{ [path]: { order, mode: order === 'asc' ? 'min' : 'max', unmapped_type: 'long' } }],
  });
  const found = hits.hits[0]?.sort?.[0];
  if (found === undefined || found === null || Number(found) !== rounded) return rounded;
  return exactInteger(BigInt(found));
}
