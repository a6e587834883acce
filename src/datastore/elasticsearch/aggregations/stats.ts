import type { SearchKind } from '../../../documents/schema/field-types.ts';
import { exactInteger } from '../../../json/lossless-json.ts';
import type { ReadAccess } from '../../port/read-access.ts';
import type { StatsRequest, StatsResult } from '../../port/search.ts';
import type { AggregatedPath } from '../../semantics/aggregated-field.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from '../queries/engine-query.ts';
import type { Dsl } from '../queries/engine-values.ts';
import { sendSearch } from '../queries/search-call.ts';
import { countableField, sentValue } from './aggregated-values.ts';

interface StatsAnswer {
  readonly count: number;
  readonly min: number | bigint | null;
  readonly max: number | bigint | null;
  readonly avg: number | null;
  readonly sum: number | bigint;
}

const NUMBERS: ReadonlySet<SearchKind> = new Set(['integer', 'long', 'float', 'date', 'boolean']);
const NOTHING: StatsResult = { count: 0, min: null, max: null, avg: null, sum: 0 };

/**
 * Count, extremes and sum over every value of a field.
 * The server adds up doubles, compensated: a sum beyond 2^53 has their precision. Extremes are exact.
 * @throws InvalidInput `field_not_aggregatable`, `invalid_value`
 */
export async function statsOf<T>(
  context: CollectionContext<T>,
  request: StatsRequest,
  access: ReadAccess,
): Promise<StatsResult> {
  const field = countableField(context.definition, request.field, NUMBERS);
  if (!field) return NOTHING;
  const stats = {
    field: field.path,
    ...(field.searchKind === 'date' ? { format: 'epoch_millis' } : {}),
    ...(request.missing === undefined ? {} : { missing: sentValue(field, request.missing) }),
  };
  await context.ready();
  const query = await collectionQuery(context, request, access);
  const body = { query, size: 0, track_total_hits: false, aggs: { figures: { stats } } };
  const { aggregations } = await sendSearch(context, { body });
  const { count, min, max, avg, sum } = (aggregations as { readonly figures: StatsAnswer }).figures;
  if (count === 0 || min === null || max === null) return NOTHING;
  const exact = async (figure: number | bigint, order: 'asc' | 'desc'): Promise<number | bigint> =>
    field.searchKind === 'long' && !Number.isSafeInteger(Number(figure))
      ? await extreme(context, query, field, order, Number(figure))
      : Number(figure);
  return {
    count,
    min: await exact(min, 'asc'),
    max: await exact(max, 'desc'),
    avg: avg === null ? null : Number(avg),
    sum: Number(sum),
  };
}

/**
 * The smallest or largest value as it is: doubles do not tell it from its neighbours.
 * `rounded` may be the value for missing ones.
 */
async function extreme(
  context: CollectionContext<unknown>,
  query: Dsl,
  { path }: AggregatedPath,
  order: 'asc' | 'desc',
  rounded: number,
): Promise<number | bigint> {
  const { hits } = await sendSearch(context, {
    body: {
      query: { bool: { filter: [query, { exists: { field: path } }] } },
      size: 1,
      track_total_hits: false,
      _source: false,
      sort: [{ [path]: { order, mode: order === 'asc' ? 'min' : 'max', unmapped_type: 'long' } }],
    },
  });
  const found = hits.hits[0]?.sort?.[0];
  if (found === undefined || found === null || Number(found) !== rounded) return rounded;
  return exactInteger(BigInt(found));
}
