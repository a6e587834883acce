import type { CheckedStats } from '../../port/datastore-adapter.ts';
import { NO_STATS, type StatsResult } from '../../port/search.ts';
import type { SqlValue } from '../columns/column-database.ts';
import type { QueryContext } from '../queries/query-context.ts';
import { aggregatedField, answeredValue, foundValues } from './aggregated-values.ts';

export type StatsSpec = Pick<CheckedStats, 'field' | 'missing'>;

/** The ratio of parts to sum from which the order matters: the sum is added again in order. */
const CANCELLATION = 1e6;

/** Returns count, extremes and sum over every value of a field. */
export async function stats(context: QueryContext, spec: StatsSpec): Promise<StatsResult> {
  const statement = context.statement();
  const field = aggregatedField(statement, spec.field);
  // A sum of floats may have to be added again.
  if (field.kind === 'float') await context.oneState();
  const from = foundValues(context, spec.missing, field, statement);
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
  const [min, max] = [answeredNumber(row[1] ?? 0), answeredNumber(row[2] ?? 0)];
  return { count, min, max, avg: Number(total) / count, sum: total };
}

function answeredNumber(value: SqlValue): number | bigint {
  const answered = answeredValue(value);
  return typeof answered === 'string' ? Number(answered) : answered;
}

/** Returns the compensated sum of search engines (W. Kahan 1965), which depends on the order. */
function compensatedSum(values: readonly number[]): number {
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
