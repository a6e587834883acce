import { exactInteger } from '../../../json/lossless-json.ts';
import type { ReadAccess } from '../../port/read-access.ts';
import { checkWindow } from '../../port/result-window.ts';
import type { GroupRequest, GroupResult } from '../../port/search.ts';
import { definedField } from '../../semantics/aggregated-field.ts';
import { documentsPerGroup, rejectUngroupableKind, ungroupable } from '../../semantics/grouped-field.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from '../queries/engine-query.ts';
import type { Dsl } from '../queries/engine-values.ts';
import { itemOf, sourceBody } from '../queries/found-items.ts';
import { DEFAULT_ROWS, sortOf } from '../queries/pages.ts';
import { type Hit, type HitList, sendSearch } from '../queries/search-call.ts';
import { engineSort } from '../queries/sort-clauses.ts';
import { countableField } from './aggregated-values.ts';

/**
 * Documents of each group that the first request reads.
 * Larger groups are read one by one, because only then their share is known.
 */
const MAX_INNER_HITS = 100;
const INNER = 'group';

/**
 * Documents that share a value, in groups ordered by their best document.
 * @throws InvalidInput `group_field_unsupported`, `unknown_sort_field`, `result_window_too_large`
 */
export async function groupDocuments<T>(
  context: CollectionContext<T>,
  request: GroupRequest,
  access: ReadAccess,
): Promise<GroupResult<T>> {
  const { field, offset = 0, rows = DEFAULT_ROWS, limit = 1, fields } = request;
  checkWindow(offset, rows);
  rejectUnfit(context, field);
  await context.ready();
  const severalIndices = (await context.indices()).length > 1;
  const sort = engineSort(context.definition, sortOf(context, request.sort), { severalIndices });
  const groupSort = engineSort(context.definition, sortOf(context, request.groupSort), { severalIndices });
  const query = await collectionQuery(context, request, access);
  if (context.definition.fieldByPath.get(field)?.multiValued !== false) await rejectLists(context, field, query);
  if (rows === 0) return { groups: [], total: await total(context, query), offset };
  const inner = { sort: groupSort.body, ...sourceBody(fields) };
  const { hits } = await sendSearch(context, {
    body: {
      query,
      from: offset,
      size: rows,
      sort: sort.body,
      track_total_hits: true,
      _source: false,
      collapse: { field, inner_hits: { name: INNER, size: Math.min(limit, MAX_INNER_HITS), ...inner } },
    },
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
    const members = more ? await wholeGroup(context, query, field, value, { ...inner, size }) : own;
    groups.push({
      value: typeof value === 'bigint' ? exactInteger(value) : value,
      total: own.total?.value ?? 0,
      items: members.hits.slice(0, size).map((member) => itemOf<T>(member, context.definition.name, fields)),
    });
  }
  return { groups, total: hits.total?.value ?? 0, offset };
}

function rejectUnfit({ definition }: CollectionContext<unknown>, path: string): void {
  rejectUngroupableKind(path, definedField(definition, path));
  if (!countableField(definition, path)) throw ungroupable(path, 'missing');
}

/** The server would give up, and not say which field. A repeated keyword counts once. */
async function rejectLists(context: CollectionContext<unknown>, path: string, query: Dsl): Promise<void> {
  const aggs = { values: { value_count: { field: path } }, documents: { filter: { exists: { field: path } } } };
  const { aggregations } = await sendSearch(context, { body: { query, size: 0, track_total_hits: false, aggs } });
  const { values, documents } = aggregations as {
    readonly values: { readonly value: number };
    readonly documents: { readonly doc_count: number };
  };
  if (values.value > documents.doc_count) throw ungroupable(path, 'list');
}

async function total(context: CollectionContext<unknown>, query: Dsl): Promise<number> {
  const { hits } = await sendSearch(context, { body: { query, size: 0, track_total_hits: true } });
  return hits.total?.value ?? 0;
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
  query: Dsl,
  field: string,
  value: GroupValue,
  page: Dsl,
): Promise<HitList> {
  const exists = { exists: { field } };
  const own = value === null ? { bool: { must_not: [exists] } } : { term: { [field]: { value } } };
  const body = { query: { bool: { filter: [query, own] } }, track_total_hits: false, ...page };
  return (await sendSearch(context, { body })).hits;
}
