import { givenValue } from '../../semantics/aggregated-field.ts';
import type { HistogramSpec } from '../../semantics/histogram-steps.ts';
import type { QueryContext } from '../queries/query-context.ts';
import type { Statement } from '../queries/sql-statement.ts';
import type { AggregatedField } from './aggregated-values.ts';

/** The values of the documents found, as rows `n`, `k`, `v`; a list gives a row for each of its values. */
export function histogramValues(
  context: QueryContext,
  spec: HistogramSpec,
  field: AggregatedField,
  statement: Statement,
): string {
  let value = field.sql;
  if (spec.missing !== undefined) {
    const missing = statement.bind(givenValue(field, spec.missing));
    value = field.list ? `coalesce(${value}, [${missing}])` : `coalesce(${value}, ${missing})`;
  }
  const values = `SELECT n, k, ${field.list ? `unnest(${value})` : value} AS v FROM ${statement.from(context.matching(statement))}`;
  return `SELECT * FROM (${values}) WHERE v IS NOT NULL`;
}
