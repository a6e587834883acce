import type { AggregatedPath, CheckedGroup } from '../../port/datastore-adapter.ts';
import { documentsPerGroup, ungroupable } from '../../port/grouped-field.ts';
import type { SqlValue } from '../columns/column-database.ts';
import { count, type FoundRow } from '../queries/pages.ts';
import type { QueryContext } from '../queries/query-context.ts';
import { orderBy, sortExpressions } from '../queries/sort-clauses.ts';
import type { Statement } from '../queries/sql-statement.ts';
import { aggregatedField, answeredValue } from './aggregated-values.ts';

export type GroupSpec = Pick<CheckedGroup, 'field' | 'offset' | 'rows' | 'sort' | 'groupSort' | 'limit'>;

/** Returns documents that share a value, in groups ordered by their best document. */
export async function group(context: QueryContext, spec: GroupSpec) {
  await context.oneState();
  const total = await count(context);
  await rejectLists(context, spec.field);
  const found = await groupValues(context, spec);
  const sizes = found.map((one) => one.total);
  const limit = documentsPerGroup(sizes, spec.limit);
  const members = await groupMembers(context, { ...spec, limit }, found);
  const groups = found.map(({ value, total: size }) => ({
    value: value === null ? null : answeredValue(value),
    total: size,
    rows: members.get(value) ?? [],
  }));
  return { groups, total };
}

async function rejectLists(context: QueryContext, path: AggregatedPath): Promise<void> {
  const statement = context.statement();
  const field = aggregatedField(statement, path);
  if (!field.list) return;
  const sql = `SELECT 1 FROM ${statement.from(`(${context.matching(statement)}) AND len(${field.sql}) > 1`)} LIMIT 1`;
  if ((await context.rows(sql, statement.values)).length > 0) throw ungroupable(field.path, 'list');
}

function groupedValue(statement: Statement, path: AggregatedPath): string {
  const field = aggregatedField(statement, path);
  return field.list ? `${field.sql}[1]` : field.sql;
}

type FoundValue = { readonly value: SqlValue; readonly total: number };

async function groupValues(context: QueryContext, spec: GroupSpec): Promise<readonly FoundValue[]> {
  const { field, sort, offset, rows } = spec;
  if (rows === 0) return [];
  const statement = context.statement();
  const value = groupedValue(statement, field);
  const sorts = sortExpressions(statement, sort).filter(({ decides }) => decides);
  // The smallest sort key of a group is that of its best document. Windows over the groups of a million documents take
  // eight times as long.
  const keys = sorts.map(({ expression, direction }) => `${expression}, '${specifier(direction)}'`);
  const found = statement.from(context.matching(statement));
  const sql = `SELECT v, count(*) AS total FROM (SELECT ${value} AS v, create_sort_key(${keys.join(', ')}) AS o FROM ${found})
    GROUP BY v ORDER BY min(o) LIMIT ${rows} OFFSET ${offset}`;
  return (await context.rows(sql, statement.values)).map(([value, total]) => ({
    value: value ?? null,
    total: Number(total),
  }));
}

/** Returns a direction for `create_sort_key`, which requires the place of nulls. */
function specifier(direction: string): string {
  return direction.includes('NULLS') ? direction : `${direction} NULLS LAST`;
}

async function groupMembers(
  context: QueryContext,
  { field, groupSort, limit }: GroupSpec,
  found: readonly FoundValue[],
): Promise<ReadonlyMap<SqlValue, readonly FoundRow[]>> {
  const members = new Map<SqlValue, FoundRow[]>();
  if (limit === 0 || found.length === 0) return members;
  const statement = context.statement();
  const value = groupedValue(statement, field);
  const { kind } = aggregatedField(statement, field);
  const sorts = orderBy(sortExpressions(statement, groupSort));
  const present = found.flatMap((one) => one.value ?? []);
  const chosen = [`v IN (SELECT unnest(${statement.bindList(present, kind)}))`];
  if (present.length < found.length) chosen.push('v IS NULL');
  const condition = context.matching(statement);
  const matched = `SELECT ${value} AS v, * FROM ${statement.from(condition)}`;
  const sql = `SELECT v, row_number() OVER (PARTITION BY v ORDER BY ${sorts}) AS rank, n, k, s
    FROM (${matched}) WHERE ${chosen.join(' OR ')} QUALIFY rank <= ${limit} ORDER BY rank`;
  for (const [member = null, , index, key, seq] of await context.rows(sql, statement.values)) {
    const row = { index: Number(index), key: Number(key), seq: Number(seq) };
    const own = members.get(member);
    if (own) own.push(row);
    else members.set(member, [row]);
  }
  return members;
}
