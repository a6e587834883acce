import { labelOf } from '../../semantics/aggregated-field.ts';
import { type CountedBuckets, type HistogramSpec, numberSteps } from '../../semantics/histogram-steps.ts';
import type { QueryContext } from '../queries/query-context.ts';
import type { Statement } from '../queries/sql-statement.ts';
import type { AggregatedField } from './aggregated-values.ts';
import { histogramValues } from './histogram-values.ts';

/** Counts by the number of the interval that a value lies in. */
export async function numberBuckets(
  context: QueryContext,
  spec: HistogramSpec,
  field: AggregatedField | undefined,
  statement: Statement,
): Promise<CountedBuckets | undefined> {
  const { size, offset, finish } = numberSteps(spec);
  if (!field) return undefined;
  const value = field.kind === 'boolean' ? 'v::INTEGER' : 'v';
  const position = `floor((${value}::DOUBLE - ${statement.bind(offset)}::DOUBLE) / ${statement.bind(size)}::DOUBLE)`;
  const sql = `SELECT p, count(*) FROM (SELECT DISTINCT n, k, ${position} AS p FROM (${histogramValues(context, spec, field, statement)})) GROUP BY p`;
  const single = `SELECT ${position} AS p, count(*) FROM (${histogramValues(context, spec, field, statement)}) GROUP BY p`;
  const rows = await context.rows(field.list ? sql : single, statement.values);
  return finish(
    rows.map(([at, count]) => [Number(at), Number(count)]),
    (key) => labelOf(field, key),
  );
}
