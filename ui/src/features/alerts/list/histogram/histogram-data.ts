import type { TimeBucket } from '../../../../design/data/charts/histogram.ts';
import type { ColourToken } from '../../../../design/data/marks/severity.ts';
import type { QueryRequest } from '../../../query/model/query-request.ts';
import { dateCounts, histogram } from '../results/alert-source.ts';
import { TIME_FIELD } from '../search/alert-search.ts';
import { stepsOf } from './histogram-steps.ts';

/** The fields that bars are split by, with their values from the bottom up. */
export const SPLITS = {
  severity: {
    field: 'howler.escalation',
    message: 'escalation',
    values: { evidence: 'critical', alert: 'high', hit: 'low', miss: 'done' },
  },
  status: {
    field: 'howler.status',
    message: 'status',
    values: { open: 'accent', 'in-progress': 'medium', 'on-hold': 'text-3', resolved: 'done' },
  },
} as const satisfies Record<string, { field: string; message: string; values: Readonly<Record<string, ColourToken>> }>;

export type Split = keyof typeof SPLITS;

export interface HistogramData {
  readonly from: number;
  readonly to: number;
  readonly buckets: readonly TimeBucket[];
}

/** Returns the counts of a search over its time; undefined when it finds nothing. */
export async function readHistogram(
  request: QueryRequest,
  split: Split,
  signal: AbortSignal,
): Promise<HistogramData | undefined> {
  const bounds = await dateCounts(request, TIME_FIELD).bounds(signal);
  if (bounds === undefined) return undefined;
  const { start, end, gap } = stepsOf(...bounds);
  const { field, values } = SPLITS[split];
  const counted = await Promise.all(
    Object.keys(values).map(async (value) => {
      const filters = [...request.filters, `${field}:"${value}"`];
      return [
        value,
        new Map(await histogram({ ...request, filters }, TIME_FIELD, { start, end, gap }, signal)),
      ] as const;
    }),
  );
  const buckets = Array.from({ length: Math.round((end - start) / gap) }, (_, index) => {
    const begin = start + index * gap;
    return {
      start: begin,
      counts: Object.fromEntries(counted.map(([value, counts]) => [value, counts.get(begin) ?? 0])),
    };
  });
  return { from: start, to: end, buckets };
}
