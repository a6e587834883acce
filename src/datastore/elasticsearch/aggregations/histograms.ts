import type { SearchKind } from '../../../documents/schema/field-types.ts';
import type { ReadAccess } from '../../port/read-access.ts';
import type { HistogramBucket, HistogramRequest } from '../../port/search.ts';
import { type AggregatedPath, labelOf } from '../../semantics/aggregated-field.ts';
import { answeredBuckets, dateSteps, type HistogramSpec, numberSteps } from '../../semantics/histogram-steps.ts';
import type { TimeZone } from '../../semantics/time-zone.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from '../queries/engine-query.ts';
import type { Dsl } from '../queries/engine-values.ts';
import { sendSearch } from '../queries/search-call.ts';
import { countableField, sentValue } from './aggregated-values.ts';

const NUMBERS: ReadonlySet<SearchKind> = new Set(['integer', 'long', 'float', 'boolean', 'date']);
const DATES: ReadonlySet<SearchKind> = new Set(['date']);

/**
 * Documents by intervals of a number or date.
 * The server counts; bounds, gaps, order and labels are made here, as for every adapter.
 * @throws InvalidInput `invalid_interval`, `invalid_time_zone`, `invalid_format`, `invalid_bounds`, `too_many_buckets`,
 * `field_not_aggregatable`
 */
export async function histogramBuckets<T>(
  context: CollectionContext<T>,
  request: HistogramRequest,
  access: ReadAccess,
): Promise<readonly HistogramBucket[]> {
  const isNumber = request.interval.kind === 'number';
  const field = countableField(context.definition, request.field, isNumber ? NUMBERS : DATES);
  const count = async (steps: Dsl): Promise<readonly CountedBucket[]> => {
    await context.ready();
    const query = await collectionQuery(context, request, access);
    const aggs = { steps };
    const { aggregations } = await sendSearch(context, { body: { query, size: 0, track_total_hits: false, aggs } });
    return (aggregations as { readonly steps: { readonly buckets: readonly CountedBucket[] } }).steps.buckets;
  };
  return isNumber ? byNumber(request, field, count) : byDate(request, field, count);
}

interface CountedBucket {
  readonly key: number | bigint;
  readonly doc_count: number;
}

type Count = (steps: Dsl) => Promise<readonly CountedBucket[]>;

async function byNumber(
  spec: HistogramSpec,
  field: AggregatedPath | undefined,
  count: Count,
): Promise<readonly HistogramBucket[]> {
  const { size, offset, finish } = numberSteps(spec);
  if (!field) return [];
  const buckets = await count({ histogram: { ...valuesOf(field, spec), interval: size, offset } });
  const positions = buckets.map(
    ({ key, doc_count }) => [Math.round((Number(key) - offset) / size), doc_count] as const,
  );
  return answeredBuckets(
    finish(positions, (key) => labelOf(field, key)),
    spec,
  );
}

async function byDate(
  spec: HistogramSpec,
  field: AggregatedPath | undefined,
  count: Count,
): Promise<readonly HistogramBucket[]> {
  const { zone, rounding, shift, finish } = dateSteps(spec);
  if (!field) return [];
  const interval =
    spec.interval.kind === 'calendar'
      ? { calendar_interval: spec.interval.unit }
      : { fixed_interval: `${rounding.step}ms` };
  const buckets = await count({
    date_histogram: {
      ...valuesOf(field, spec),
      ...interval,
      time_zone: zoneName(spec.timeZone, zone),
      ...(shift === 0 ? {} : { offset: `${shift}ms` }),
    },
  });
  const counts = new Map(buckets.map(({ key, doc_count }) => [Number(key), doc_count]));
  return answeredBuckets(finish(counts), spec);
}

function valuesOf(field: AggregatedPath, { missing }: HistogramSpec): Dsl {
  return {
    field: field.path,
    min_doc_count: 1,
    ...(field.searchKind === 'date' ? { format: 'epoch_millis' } : {}),
    ...(missing === undefined ? {} : { missing: sentValue(field, missing) }),
  };
}

/** Offsets can be written in more ways than the server reads. */
function zoneName(given: string | undefined, zone: TimeZone): string {
  if (given === undefined || !zone.isFixed) return given ?? 'UTC';
  const offset = zone.offsetAt(0);
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19);
  return `${offset < 0 ? '-' : '+'}${text}`;
}
