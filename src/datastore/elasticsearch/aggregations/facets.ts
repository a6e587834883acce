import { Unsupported } from '../../../errors/errors.ts';
import { exactInteger } from '../../../json/lossless-json.ts';
import type { AggregatedPath, CheckedFacet } from '../../port/datastore-adapter.ts';
import { MATCH_ALL } from '../../port/query-tree.ts';
import type { FacetBucket, FacetResult } from '../../port/search.ts';
import { parseAddress } from '../../query-language/ip-address.ts';
import { compileRegexp } from '../../regular-language/regexp.ts';
import { parseRegexp, type RegexpNode } from '../../regular-language/regexp-parser.ts';
import { labelOf } from '../../semantics/aggregated-field.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from '../queries/engine-query.ts';
import type { Dsl } from '../queries/engine-values.ts';
import { aggregate } from '../queries/search-call.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import { sentValue, valuesOf } from './aggregated-values.ts';

interface TermsAnswer {
  readonly doc_count_error_upper_bound?: number;
  readonly sum_other_doc_count: number;
  readonly buckets: readonly {
    readonly key: string | number | bigint;
    readonly doc_count: number;
    readonly found?: { readonly doc_count: number };
  }[];
}

/** Values of each shard at first, and at most: with few, shards may know others as the most frequent. */
const FIRST_SHARD_SIZE = 1000;
const MAX_SHARD_SIZE = 1_000_000;

/** Counts documents by value of a field; throws `invalid_value`, `pattern_unsupported`. */
export async function facetValues<T>(context: CollectionContext<T>, request: CheckedFacet): Promise<FacetResult> {
  const { field, rows, minCount, missing } = request;
  const limits = facetLimits(request, context.engine.vendor);
  const terms: Dsl = { ...valuesOf(context, field, missing), size: rows, ...limits };
  const query = await collectionQuery(context, request);
  if (minCount === 0) return valuesOfAll(context, request, terms, query);
  const { values } = await counted<'values'>(context, request, query, (shardSize) => ({
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
  request: CheckedFacet,
  terms: Dsl,
  query: Dsl,
): Promise<FacetResult> {
  const visible = await collectionQuery(context, { ...request, query: MATCH_ALL });
  const answer = await counted<'values' | 'found'>(context, request, visible, (shardSize) => ({
    values: {
      terms: { ...terms, ...shardSize, order: orderOf(request, 'found') },
      aggs: { found: { filter: query } },
    },
    found: { filter: query, aggs: { values: { terms: { ...terms, ...shardSize } } } },
  }));
  const { values: ofFound } = answer.found as unknown as { readonly values: TermsAnswer };
  const total = ofFound.buckets.reduce((sum, { doc_count }) => sum + doc_count, ofFound.sum_other_doc_count);
  const buckets = answer.values.buckets.map(({ key, found }) => bucketOf(request.field, key, found?.doc_count ?? 0));
  return { buckets, other: total - buckets.reduce((sum, { count }) => sum + count, 0) };
}

/** Asks again with more values of each shard while counts may be wrong. One shard is never wrong. */
async function counted<Name extends string>(
  context: CollectionContext<unknown>,
  request: CheckedFacet,
  query: Dsl,
  aggregations: (shardSize: Dsl) => Dsl,
): Promise<Readonly<Record<Name, TermsAnswer>>> {
  for (let shardSize = FIRST_SHARD_SIZE; ; shardSize *= 10) {
    const aggs = aggregations({ shard_size: shardSize });
    const answer = await aggregate<Readonly<Record<Name, TermsAnswer>>>(context, request, query, aggs);
    const mayBeWrong = Object.values<TermsAnswer>(answer).some(
      (terms) => (terms.doc_count_error_upper_bound ?? 0) !== 0,
    );
    if (!mayBeWrong || shardSize >= MAX_SHARD_SIZE) return answer;
  }
}

function orderOf({ order: { by, direction } }: CheckedFacet, count: string): Dsl | readonly Dsl[] {
  return by === 'key' ? { _key: direction } : [{ [count]: direction }, { _key: 'asc' }];
}

function bucketOf(field: AggregatedPath, given: string | number | bigint, count: number): FacetBucket {
  const plain = typeof given === 'bigint' ? exactInteger(given) : given;
  const key = field.searchKind === 'ip' ? (parseAddress(String(given)) ?? '') : plain;
  return { key, label: labelOf(field, key), count };
}

function facetLimits({ field, include, exclude }: CheckedFacet, vendor: SearchEngine['vendor']): Dsl {
  for (const pattern of [include, exclude]) if (typeof pattern === 'string') rejectUnread(pattern, vendor);
  // OpenSearch takes both as patterns, or both as lists.
  const mixed = (typeof include === 'string') !== (typeof exclude === 'string');
  const asPattern = include !== undefined && exclude !== undefined && mixed;
  const said = (limit: string | readonly string[]): unknown => {
    if (typeof limit === 'string') return limit;
    const values = limit.map((value) => String(sentValue(field, value)));
    return asPattern ? values.map(literalPattern).join('|') : values;
  };
  return {
    ...(include === undefined ? {} : { include: said(include) }),
    ...(exclude === undefined || exclude.length === 0 ? {} : { exclude: said(exclude) }),
  };
}

function literalPattern(text: string): string {
  return text === '' ? '()' : text.replace(/[.?+*|{}[\]()"\\#@&<>~^$]/g, '\\$&');
}

/** Facets take no flags for their patterns, and OpenSearch reads `~` there as any other character. */
function rejectUnread(pattern: string, vendor: SearchEngine['vendor']): void {
  compileRegexp(pattern);
  if (vendor !== 'opensearch' || !hasComplement(parseRegexp(pattern))) return;
  const message =
    'OpenSearch limits the values of a facet by no pattern with ~. Exclude what it should not match instead.';
  throw new Unsupported('pattern_unsupported', message, { at: 'include' });
}

function hasComplement(node: RegexpNode): boolean {
  switch (node.kind) {
    case 'not':
      return true;
    case 'either':
    case 'both':
      return node.options.some(hasComplement);
    case 'sequence':
      return node.parts.some(hasComplement);
    case 'repeat':
      return hasComplement(node.inner);
    default:
      return false;
  }
}
