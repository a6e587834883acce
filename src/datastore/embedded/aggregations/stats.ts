import type { CheckedStats } from '../../port/datastore-adapter.ts';
import { NO_STATS, type StatsResult } from '../../port/search.ts';
import { givenValue } from '../../semantics/aggregated-field.ts';
import type { SqlValue } from '../columns/column-database.ts';
import type { QueryContext } from '../queries/query-context.ts';
import type { Statement } from '../queries/sql-statement.ts';
import { type AggregatedField, aggregatedField, answeredValue } from './aggregated-values.ts';

export type StatsSpec = Pick<CheckedStats, 'field' | 'missing'>;

/** A sum whose parts are this much larger than itself depends on their order: it is added again, document by document. */
const CANCELLATION = 1e6;

/** Count, extremes and sum over every value of a field. */
export async function stats(context: QueryContext, spec: StatsSpec): Promise<StatsResult> {
  const statement = context.statement();
  const field = aggregatedField(statement, spec.field);
  // A sum of floats may have to be added again.
  if (field.kind === 'float') await context.oneState();
  const from = allValues(context, field, spec, statement);
  const sum = field.kind === 'float' ? 'kahan_sum(v::DOUBLE), kahan_sum(abs(v::DOUBLE))' : 'sum(v::BIGINT), 0';
  const sql = `SELECT count(v), min(v), max(v), ${sum} FROM (${from})`;
  const [row] = await context.rows(sql, statement.values);
  const count = Number(row?.[0] ?? 0);
  if (!row || count === 0) return NO_STATS;
  let total = answeredNumber(row[3] ?? 0);
  if (Math.abs(Number(total)) * CANCELLATION < Number(row[4])) {
    const inOrder = `SELECT v::DOUBLE FROM (${from}) WHERE v IS NOT NULL ORDER BY n, k, v`;
    total = compensatedSum((await context.rows(inOrder, statement.values)).map(([value]) => Number(value)));
  }
  return {
    count,
    min: answeredNumber(row[1] ?? 0),
    max: answeredNumber(row[2] ?? 0),
    avg: Number(total) / count,
    sum: total,
  };
}

function allValues(
  context: QueryContext,
  field: AggregatedField,
  { missing }: StatsSpec,
  statement: Statement,
): string {
  let value = field.sql;
  if (missing !== undefined) {
    const given = statement.bind(givenValue(field, missing));
    value = field.list ? `coalesce(${value}, [${given}])` : `coalesce(${value}, ${given})`;
  }
  return `SELECT n, k, ${field.list ? `unnest(${value})` : value} AS v FROM ${statement.from(context.matching(statement))}`;
}

function answeredNumber(value: SqlValue): number | bigint {
  const answered = answeredValue(value);
  return typeof answered === 'string' ? Number(answered) : answered;
}

/** The compensated sum that search engines make (W. Kahan 1965), which depends on the order of the values. */
export function compensatedSum(values: readonly number[]): number {
  let sum = 0;
  let compensation = 0;
  for (const value of values) {
    const corrected = value + compensation;
    const next = sum + corrected;
    compensation = corrected - (next - sum);
    sum = next;
  }
  return sum;
}
