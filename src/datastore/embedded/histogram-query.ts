import type { SearchKind } from '../../documents/field-types.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { HistogramBucket } from '../search.ts';
import { aggregatedField } from './aggregated-values.ts';
import { dateBuckets } from './date-histogram.ts';
import type { CountedBuckets, HistogramSpec } from './histogram-values.ts';
import { numberBuckets } from './number-histogram.ts';
import type { QueryContext } from './query-context.ts';

const NUMBERS: ReadonlySet<SearchKind> = new Set(['integer', 'long', 'float', 'boolean', 'date']);
const DATES: ReadonlySet<SearchKind> = new Set(['date']);
const MOST_BUCKETS = 65_536;

/** Documents by intervals of a number or date. */
export async function histogram(context: QueryContext, spec: HistogramSpec): Promise<readonly HistogramBucket[]> {
  const statement = context.statement();
  const isNumber = spec.interval.kind === 'number';
  const field = aggregatedField(statement, spec.field, isNumber ? NUMBERS : DATES);
  const counted = isNumber
    ? await numberBuckets(context, spec, field, statement)
    : await dateBuckets(context, spec, field, statement);
  if (!field || !counted) return [];
  const minCount = spec.minCount ?? 0;
  const keys = minCount === 0 ? withoutGaps(counted) : [...counted.counts.keys()].sort((a, b) => a - b);
  const buckets = keys
    .map((key) => ({ key, label: counted.label(key), count: counted.counts.get(key) ?? 0 }))
    .filter(({ count }) => count >= minCount);
  if (buckets.length > MOST_BUCKETS) throw tooMany();
  return ordered(buckets, spec);
}

function withoutGaps({ counts, extended, next }: CountedBuckets): readonly number[] {
  const known = [...counts.keys()];
  if (extended) known.push(extended.min, extended.max);
  if (known.length === 0) return [];
  const last = known.reduce((a, b) => Math.max(a, b));
  const keys: number[] = [];
  for (let key = known.reduce((a, b) => Math.min(a, b)); key <= last; key = next(key)) {
    keys.push(key);
    if (keys.length > MOST_BUCKETS) throw tooMany();
  }
  return keys;
}

function ordered(buckets: HistogramBucket[], { order }: HistogramSpec): readonly HistogramBucket[] {
  if (!order) return buckets;
  const sign = order.direction === 'asc' ? 1 : -1;
  if (order.by === 'key') return sign === 1 ? buckets : buckets.reverse();
  return buckets.sort((a, b) => sign * (a.count - b.count) || a.key - b.key);
}

function tooMany(): InvalidInput {
  return new InvalidInput(
    'too_many_buckets',
    `The histogram would have more than ${MOST_BUCKETS} buckets. Choose a longer interval.`,
    {
      at: 'interval',
    },
  );
}
