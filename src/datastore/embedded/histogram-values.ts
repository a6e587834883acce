import type { HistogramRequest } from '../search.ts';
import { type AggregatedField, givenValue } from './aggregated-values.ts';
import type { QueryContext } from './query-context.ts';
import type { Statement } from './sql-statement.ts';

export type HistogramSpec = Omit<HistogramRequest, 'query' | 'filters'>;

/** What both kinds of histogram make: the counted buckets, the bounds in keys, and how to go from bucket to bucket. */
export interface CountedBuckets {
  readonly counts: ReadonlyMap<number, number>;
  readonly extended: { readonly min: number; readonly max: number } | undefined;
  readonly next: (key: number) => number;
  readonly label: (key: number) => string;
}

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
