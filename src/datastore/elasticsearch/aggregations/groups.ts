import { exactInteger } from '../../../json/lossless-json.ts';
import type { CheckedGroup } from '../../port/datastore-adapter.ts';
import { documentsPerGroup, ungroupable } from '../../port/grouped-field.ts';
import type { GroupResult } from '../../port/search.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from '../queries/engine-query.ts';
import type { Dsl } from '../queries/engine-values.ts';
import {
  aggregate,
  countMatches,
  type Hit,
  type HitList,
  itemOf,
  sendSearch,
  sourceBody,
} from '../queries/search-call.ts';
import { collectionSort } from '../queries/sort-clauses.ts';
import { requireOwnField } from './aggregated-values.ts';

/** Documents of each group in the first request; larger groups are read alone, with a known share. */
const MAX_INNER_HITS = 100;
const INNER = 'group';

/** Groups documents by value, best first; throws `group_field_unsupported`, `field_not_aggregatable`. */
export async function groupDocuments<T>(
  context: CollectionContext<T>,
  request: CheckedGroup,
): Promise<Omit<GroupResult<T>, 'offset'>> {
  const { offset, rows, limit, fields } = request;
  const field = request.field.path;
  requireOwnField(context, request.field);
  const query = await collectionQuery(context, request);
  const sort = await collectionSort(context, request.sort);
  const groupSort = await collectionSort(context, request.groupSort);
  if (context.definition.fieldByPath.get(field)?.multiValued !== false) await rejectLists(context, request, query);
  if (rows === 0) return { groups: [], total: await countMatches(context, request, query) };
  const inner = { sort: groupSort.body, ...sourceBody(fields) };
  const { hits } = await sendSearch(context, request, {
    query,
    from: offset,
    size: rows,
    sort: sort.body,
    track_total_hits: true,
    _source: false,
    collapse: { field, inner_hits: { name: INNER, size: Math.min(limit, MAX_INNER_HITS), ...inner } },
  });
  const groups: GroupResult<T>['groups'][number][] = [];
  const size = documentsPerGroup(
    hits.hits.map((hit) => groupOf(hit).total?.value ?? 0),
    limit,
  );
  for (const hit of hits.hits) {
    const value = groupValue(hit, field);
    const own = groupOf(hit);
    const more = size > MAX_INNER_HITS && (own.total?.value ?? 0) > MAX_INNER_HITS;
    const members = more ? await wholeGroup(context, request, query, value, { ...inner, size }) : own;
    groups.push({
      value: typeof value === 'bigint' ? exactInteger(value) : value,
      total: own.total?.value ?? 0,
      items: members.hits.slice(0, size).map((member) => itemOf<T>(member, context.definition.name, fields)),
    });
  }
  return { groups, total: hits.total?.value ?? 0 };
}

/** The server would give up, and not say which field. A repeated keyword counts once. */
async function rejectLists(context: CollectionContext<unknown>, request: CheckedGroup, query: Dsl): Promise<void> {
  const { path } = request.field;
  const aggs = { values: { value_count: { field: path } }, documents: { filter: { exists: { field: path } } } };
  const { values, documents } = await aggregate<{
    readonly values: { readonly value: number };
    readonly documents: { readonly doc_count: number };
  }>(context, request, query, aggs);
  if (values.value > documents.doc_count) throw ungroupable(path, 'list');
}

function groupOf(hit: Hit): HitList {
  return hit.inner_hits?.[INNER]?.hits ?? { hits: [] };
}

type GroupValue = string | number | bigint | null;

function groupValue({ fields }: Hit, path: string): GroupValue {
  return fields?.[path]?.[0] ?? null;
}

async function wholeGroup(
  context: CollectionContext<unknown>,
  request: CheckedGroup,
  query: Dsl,
  value: GroupValue,
  page: Dsl,
): Promise<HitList> {
  const field = request.field.path;
  const exists = { exists: { field } };
  const own = value === null ? { bool: { must_not: [exists] } } : { term: { [field]: { value } } };
  const body = { query: { bool: { filter: [query, own] } }, track_total_hits: false, ...page };
  return (await sendSearch(context, request, body)).hits;
}
