import type { CheckedHistogram } from '../../port/datastore-adapter.ts';
import type { HistogramBucket } from '../../port/search.ts';
import { labelOf } from '../../semantics/aggregated-field.ts';
import {
  answeredBuckets,
  type CountedBuckets,
  dateSteps,
  type HistogramSpec,
  numberSteps,
} from '../../semantics/histogram-steps.ts';
import type { TimeZone } from '../../semantics/time-zone.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from '../queries/engine-query.ts';
import type { Dsl } from '../queries/engine-values.ts';
import { aggregate } from '../queries/search-call.ts';
import { valuesOf } from './aggregated-values.ts';

interface CountedStep {
  readonly key: number | bigint;
  readonly doc_count: number;
}

/** An aggregation of the server, and the buckets that its answer becomes. */
interface Steps {
  readonly kind: 'histogram' | 'date_histogram';
  readonly body: Dsl;
  finish(counted: readonly CountedStep[], label: (key: number) => string): CountedBuckets;
}

/** Counts documents by intervals; bounds, gaps, order and labels are made here, as in every adapter. */
export async function histogramBuckets<T>(
  context: CollectionContext<T>,
  request: CheckedHistogram,
): Promise<readonly HistogramBucket[]> {
  const { field, missing, interval } = request;
  const { kind, body, finish } = interval.kind === 'number' ? byNumber(request) : byDate(request);
  if (!field) return [];
  const values = { ...valuesOf(context, field, missing), min_doc_count: 1 };
  const query = await collectionQuery(context, request);
  const { steps } = await aggregate<{ readonly steps: { readonly buckets: readonly CountedStep[] } }>(
    context,
    request,
    query,
    { steps: { [kind]: { ...values, ...body } } },
  );
  return answeredBuckets(
    finish(steps.buckets, (key) => labelOf(field, key)),
    request,
  );
}

function byNumber(spec: HistogramSpec): Steps {
  const { size, offset, finish } = numberSteps(spec);
  return {
    kind: 'histogram',
    body: { interval: size, offset },
    finish: (counted, label) =>
      finish(
        counted.map(({ key, doc_count }) => [Math.round((Number(key) - offset) / size), doc_count]),
        label,
      ),
  };
}

function byDate(spec: HistogramSpec): Steps {
  const { zone, rounding, shift, finish } = dateSteps(spec);
  const interval =
    spec.interval.kind === 'calendar'
      ? { calendar_interval: spec.interval.unit }
      : { fixed_interval: `${rounding.step}ms` };
  return {
    kind: 'date_histogram',
    body: {
      ...interval,
      time_zone: zoneName(spec.timeZone, zone),
      ...(shift === 0 ? {} : { offset: `${shift}ms` }),
    },
    finish: (counted) => finish(new Map(counted.map(({ key, doc_count }) => [Number(key), doc_count]))),
  };
}

/** Offsets can be written in more ways than the server reads. */
function zoneName(given: string, zone: TimeZone): string {
  if (!zone.isFixed) return given;
  const offset = zone.offsetAt(0);
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19);
  return `${offset < 0 ? '-' : '+'}${text}`;
}
