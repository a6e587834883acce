import type { SearchKind } from '../../../documents/schema/field-types.ts';
import type { HistogramBucket } from '../../port/search.ts';
import { answeredBuckets, type HistogramSpec } from '../../semantics/histogram-steps.ts';
import type { QueryContext } from '../queries/query-context.ts';
import { aggregatedField } from './aggregated-values.ts';
import { dateBuckets } from './date-histogram.ts';
import { numberBuckets } from './number-histogram.ts';

const NUMBERS: ReadonlySet<SearchKind> = new Set(['integer', 'long', 'float', 'boolean', 'date']);
const DATES: ReadonlySet<SearchKind> = new Set(['date']);

/** Documents by intervals of a number or date. */
export async function histogram(context: QueryContext, spec: HistogramSpec): Promise<readonly HistogramBucket[]> {
  const statement = context.statement();
  const isNumber = spec.interval.kind === 'number';
  const field = aggregatedField(statement, spec.field, isNumber ? NUMBERS : DATES);
  const counted = isNumber
    ? await numberBuckets(context, spec, field, statement)
    : await dateBuckets(context, spec, field, statement);
  if (!field || !counted) return [];
  return answeredBuckets(counted, spec);
}
