import type { CheckedFacet, CheckedSelection } from '../../port/datastore-adapter.ts';
import type { FacetResult } from '../../port/search.ts';
import { compileRegexp } from '../../regular-language/regexp.ts';
import { givenValue, labelOf } from '../../semantics/aggregated-field.ts';
import type { SqlValue } from '../columns/column-database.ts';
import type { QueryContext } from '../queries/query-context.ts';
import { matchingTerms } from '../queries/query-resolution.ts';
import type { Statement } from '../queries/sql-statement.ts';
import { type AggregatedField, aggregatedField, answeredValue, valueExpression } from './aggregated-values.ts';

export type FacetSpec = Omit<CheckedFacet, keyof CheckedSelection>;

interface FacetRead {
  readonly context: QueryContext;
  readonly spec: FacetSpec;
  readonly field: AggregatedField;
  readonly statement: Statement;
}

/** Counts the documents in which each value of a field occurs. */
export async function facet(context: QueryContext, spec: FacetSpec): Promise<FacetResult> {
  const { rows, minCount } = spec;
  const statement = context.statement();
  const field = aggregatedField(statement, spec.field);
  if (asksTwice(spec)) await context.oneState();
  const read: FacetRead = { context, spec, field, statement };
  const limits = [...(await limited(read, spec.include, 'IN')), ...(await limited(read, spec.exclude, 'NOT IN'))];
  const where = [...limits, 'v IS NOT NULL'].join(' AND ');
  const counted = minCount === 0 ? 'count_if(found)' : 'count(*)';
  const groups = `SELECT v, ${counted} AS c FROM (${values(read)}) WHERE ${where} GROUP BY v`;
  const sql = `WITH g AS (${groups}) SELECT v, c, (SELECT sum(c)::BIGINT FROM g) FROM g WHERE c >= ${Number(minCount)}
    ORDER BY ${order(spec)} LIMIT ${Number(rows)}`;
  const found = await context.rows(sql, statement.values);
  const buckets = found.map(([value, count]) => {
    const key = answeredValue(value ?? null);
    return { key, label: labelOf(field, key), count: Number(count) };
  });
  let total = Number(found[0]?.[2] ?? 0);
  if (minCount > 1) {
    // Values below the minimum do not count as left out.
    const sum = `WITH g AS (${groups}) SELECT sum(c)::BIGINT FROM g WHERE c >= ${Number(minCount)}`;
    total = Number((await context.rows(sum, statement.values))[0]?.[0] ?? 0);
  }
  return { buckets, other: total - buckets.reduce((sum, { count }) => sum + count, 0) };
}

/** Returns whether a second statement is needed, for the values of a pattern or those below a minimum. */
function asksTwice({ minCount, include, exclude }: FacetSpec): boolean {
  return minCount > 1 || typeof include === 'string' || typeof exclude === 'string';
}

/** Returns a statement for one row for each document and value, each value once a document. */
function values({ context, spec, field, statement }: FacetRead): string {
  const sql = field.repeats ? `list_distinct(${field.sql})` : field.sql;
  const value = valueExpression({ ...field, sql }, spec.missing, statement);
  const found = context.matching(statement);
  // A document without a list gives no row; reading it all the same takes three times as long where most have none.
  const isColumn = field.list && field.entries === undefined;
  const isCounted = isColumn && spec.missing === undefined ? `(${field.sql} IS NOT NULL) AND ` : '';
  if (spec.minCount > 0) return `SELECT ${value} AS v FROM ${statement.from(`${isCounted}(${found})`)}`;
  const visible = context.visible(statement);
  return `SELECT ${value} AS v, (${found}) IS TRUE AS found FROM ${statement.from(visible)}`;
}

function order({ order: given }: FacetSpec): string {
  const direction = given.direction === 'asc' ? 'ASC' : 'DESC';
  return given.by === 'key' ? `v ${direction}` : `c ${direction}, v ASC`;
}

type Limit = string | readonly string[];

async function limited(read: FacetRead, limit: Limit | undefined, operator: string): Promise<readonly string[]> {
  if (limit === undefined) return [];
  const named = read.statement.bindList(await namedValues(read, limit), read.field.kind);
  return [`v ${operator} (SELECT unnest(${named}))`];
}

async function namedValues({ context, spec, field }: FacetRead, limit: Limit): Promise<readonly SqlValue[]> {
  if (typeof limit !== 'string') return limit.map((value) => givenValue(field, value));
  const matches = compileRegexp(limit);
  const terms = await matchingTerms(context, field.path, matches);
  const missing = spec.missing === undefined ? [] : [String(givenValue(field, spec.missing))].filter(matches);
  return [...terms, ...missing];
}
