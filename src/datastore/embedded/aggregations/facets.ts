import type { CheckedFacet, CheckedSelection } from '../../port/datastore-adapter.ts';
import type { FacetResult } from '../../port/search.ts';
import { compileRegexp } from '../../regular-language/regexp.ts';
import { givenValue, labelOf } from '../../semantics/aggregated-field.ts';
import type { SqlValue } from '../columns/column-database.ts';
import type { QueryContext } from '../queries/query-context.ts';
import { matchingTerms } from '../queries/query-resolution.ts';
import type { Statement } from '../queries/sql-statement.ts';
import { type AggregatedField, aggregatedField, answeredValue } from './aggregated-values.ts';

export type FacetSpec = Omit<CheckedFacet, keyof CheckedSelection>;

/** Counts the documents in which each value of a field occurs. */
export async function facet(context: QueryContext, spec: FacetSpec): Promise<FacetResult> {
  const { rows, minCount } = spec;
  const statement = context.statement();
  const field = aggregatedField(statement, spec.field);
  if (asksTwice(spec)) await context.oneState();
  const where = [...(await limits(context, spec, field, statement)), 'v IS NOT NULL'].join(' AND ');
  const groups = `SELECT v, ${minCount === 0 ? 'count_if(found)' : 'count(*)'} AS c FROM (${values(context, spec, field, statement)}) WHERE ${where} GROUP BY v`;
  const sql = `WITH g AS (${groups}) SELECT v, c, (SELECT sum(c)::BIGINT FROM g) FROM g WHERE c >= ${Number(minCount)}
    ORDER BY ${order(spec)} LIMIT ${Number(rows)}`;
  const found = await context.rows(sql, statement.values);
  const buckets = found.map(([value, count]) => {
    const key = answeredValue(value ?? null);
    return { key, label: labelOf(field, key), count: Number(count) };
  });
  const listed = buckets.reduce((sum, { count }) => sum + count, 0);
  return { buckets, other: minCount > 1 ? await notListed() : Number(found[0]?.[2] ?? 0) - listed };

  /** Values below the minimum do not count as left out. */
  async function notListed(): Promise<number> {
    const total = `WITH g AS (${groups}) SELECT sum(c)::BIGINT FROM g WHERE c >= ${Number(minCount)}`;
    const [row] = await context.rows(total, statement.values);
    return Number(row?.[0] ?? 0) - listed;
  }
}

/** The values that a pattern names, and those below a minimum, are asked for apart. */
function asksTwice({ minCount, include, exclude }: FacetSpec): boolean {
  return minCount > 1 || typeof include === 'string' || typeof exclude === 'string';
}

/** One row for each document and value, each value once a document. */
function values(context: QueryContext, spec: FacetSpec, field: AggregatedField, statement: Statement): string {
  let value = field.repeats ? `list_distinct(${field.sql})` : field.sql;
  if (spec.missing !== undefined) {
    const missing = statement.bind(givenValue(field, spec.missing));
    value = field.list ? `coalesce(${value}, [${missing}])` : `coalesce(${value}, ${missing})`;
  }
  if (field.list) value = `unnest(${value})`;
  if (spec.minCount > 0) {
    return `SELECT ${value} AS v FROM ${statement.from(context.matching(statement))}`;
  }
  const found = context.matching(statement);
  const visible = context.visible(statement);
  return `SELECT ${value} AS v, (${found}) IS TRUE AS found FROM ${statement.from(visible)}`;
}

function order({ order: given }: FacetSpec): string {
  const direction = given.direction === 'asc' ? 'ASC' : 'DESC';
  if (given.by === 'key') return `v ${direction}`;
  return `c ${direction}, v ASC`;
}

async function limits(
  context: QueryContext,
  spec: FacetSpec,
  field: AggregatedField,
  statement: Statement,
): Promise<readonly string[]> {
  const conditions: string[] = [];
  for (const [limit, negation] of [
    [spec.include, ''],
    [spec.exclude, 'NOT '],
  ] as const) {
    if (limit === undefined) continue;
    const allowed = await namedValues(context, spec, field, limit);
    conditions.push(`${negation}v IN (SELECT unnest(${statement.bindList(allowed, field.kind)}))`);
  }
  return conditions;
}

async function namedValues(
  context: QueryContext,
  spec: FacetSpec,
  field: AggregatedField,
  limit: string | readonly string[],
): Promise<readonly SqlValue[]> {
  if (typeof limit !== 'string') return limit.map((value) => givenValue(field, value));
  const matches = compileRegexp(limit);
  const terms = await matchingTerms(field.path, context.statement(), context, matches);
  const missing = spec.missing === undefined ? [] : [String(givenValue(field, spec.missing))].filter(matches);
  return [...terms, ...missing];
}
