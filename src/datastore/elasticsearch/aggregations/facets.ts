import { InvalidInput } from '../../../errors/errors.ts';
import { exactInteger } from '../../../json/lossless-json.ts';
import { MATCH_ALL } from '../../port/query-tree.ts';
import type { ReadAccess } from '../../port/read-access.ts';
import type { FacetBucket, FacetRequest, FacetResult } from '../../port/search.ts';
import { parseAddress } from '../../query-language/ip-address.ts';
import { type AggregatedPath, labelOf } from '../../semantics/aggregated-field.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from '../queries/engine-query.ts';
import type { Dsl } from '../queries/engine-values.ts';
import { sendSearch } from '../queries/search-call.ts';
import { countableField, sentValue } from './aggregated-values.ts';
import { facetLimits } from './facet-limits.ts';

interface TermsAnswer {
  readonly doc_count_error_upper_bound?: number;
  readonly sum_other_doc_count: number;
  readonly buckets: readonly {
    readonly key: string | number | bigint;
    readonly doc_count: number;
    readonly found?: { readonly doc_count: number };
  }[];
}

const DEFAULT_ROWS = 10;
const NOTHING: FacetResult = { buckets: [], other: 0 };
/**
 * Values that each shard tells at first, and at most.
 * With few each may know others as the most frequent.
 */
const FIRST_SHARD_SIZE = 1000;
const MAX_SHARD_SIZE = 1_000_000;

/**
 * Counts the documents in which each value of a field occurs.
 * @throws InvalidInput `invalid_rows`, `field_not_aggregatable`, `invalid_value`, `invalid_query`; Unsupported `pattern_unsupported`
 */
export async function facetValues<T>(
  context: CollectionContext<T>,
  request: FacetRequest,
  access: ReadAccess,
): Promise<FacetResult> {
  const rows = request.rows ?? DEFAULT_ROWS;
  if (rows <= 0) throw new InvalidInput('invalid_rows', 'The number of values has to be positive.', { at: 'rows' });
  const field = countableField(context.definition, request.field);
  if (!field) return NOTHING;
  const limits = facetLimits(field, request, context.engine.vendor);
  if (limits === 'nothing') return NOTHING;
  const terms: Dsl = {
    field: field.path,
    size: rows,
    ...limits,
    ...(request.missing === undefined ? {} : { missing: sentValue(field, request.missing) }),
    ...(field.searchKind === 'date' ? { format: 'epoch_millis' } : {}),
  };
  await context.ready();
  const query = await collectionQuery(context, request, access);
  const minCount = request.minCount ?? 1;
  if (minCount === 0) return valuesOfAll(context, request, access, field, terms, query);
  const { values } = await counted<'values'>(context, query, (shardSize) => ({
    values: { terms: { ...terms, ...shardSize, min_doc_count: minCount, order: orderOf(request, '_count') } },
  }));
  return {
    buckets: values.buckets.map(({ key, doc_count }) => bucketOf(field, key, doc_count)),
    other: values.sum_other_doc_count,
  };
}

/** The values of every document that the caller may see, with how many of those found have them. */
async function valuesOfAll<T>(
  context: CollectionContext<T>,
  request: FacetRequest,
  access: ReadAccess,
  field: AggregatedPath,
  terms: Dsl,
  query: Dsl,
): Promise<FacetResult> {
  const visible = await collectionQuery(context, { query: MATCH_ALL }, access);
  const answer = await counted<'values' | 'found'>(context, visible, (shardSize) => ({
    values: {
      terms: { ...terms, ...shardSize, order: orderOf(request, 'found') },
      aggs: { found: { filter: query } },
    },
    found: { filter: query, aggs: { values: { terms: { ...terms, ...shardSize } } } },
  }));
  const { values: ofFound } = answer.found as unknown as { readonly values: TermsAnswer };
  const total = ofFound.buckets.reduce((sum, { doc_count }) => sum + doc_count, ofFound.sum_other_doc_count);
  const buckets = answer.values.buckets.map(({ key, found }) => bucketOf(field, key, found?.doc_count ?? 0));
  return { buckets, other: total - buckets.reduce((sum, { count }) => sum + count, 0) };
}

/** Asks again with more values of each shard while counts may be wrong. One shard is never wrong. */
async function counted<Name extends string>(
  context: CollectionContext<unknown>,
  query: Dsl,
  aggregations: (shardSize: Dsl) => Dsl,
): Promise<Readonly<Record<Name, TermsAnswer>>> {
  for (let shardSize = FIRST_SHARD_SIZE; ; shardSize *= 10) {
    const aggs = aggregations({ shard_size: shardSize });
    const body = { query, size: 0, track_total_hits: false, aggs };
    const answer = (await sendSearch(context, { body })).aggregations as Readonly<Record<Name, TermsAnswer>>;
    const mayBeWrong = Object.values<TermsAnswer>(answer).some(
      (terms) => (terms.doc_count_error_upper_bound ?? 0) !== 0,
    );
    if (!mayBeWrong || shardSize >= MAX_SHARD_SIZE) return answer;
  }
}

function orderOf({ order }: FacetRequest, count: string): Dsl | readonly Dsl[] {
  const direction = order?.direction ?? 'desc';
  return order?.by === 'key' ? { _key: direction } : [{ [count]: direction }, { _key: 'asc' }];
}

function bucketOf(field: AggregatedPath, given: string | number | bigint, count: number): FacetBucket {
  const key = field.searchKind === 'ip' ? (parseAddress(String(given)) ?? '') : plainKey(given);
  return { key, label: labelOf(field, key), count };
}

function plainKey(key: string | number | bigint): string | number | bigint {
  return typeof key === 'bigint' ? exactInteger(key) : key;
}
