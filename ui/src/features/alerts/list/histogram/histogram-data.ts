import type { TimeBucket } from '../../../../design/data/charts/histogram.ts';
import {
  type Appearance,
  escalationAppearance,
  severityAppearance,
  statusAppearance,
} from '../../../../design/data/marks/severity.ts';
import { type AlertSearch, countsOf, histogram } from '../results/alert-source.ts';
import { TIME_FIELD } from '../search/alert-search.ts';
import { stepsOf } from './histogram-steps.ts';
import { severityQuery } from './severity-query.ts';

/** A part of a bar: the alerts of a query; without one, those of no other part. */
export interface Part {
  readonly id: string;
  readonly appearance: Appearance | undefined;
  readonly query: string | undefined;
}

/** The part of a bar that is left once those with a query are taken off. */
export const REST = 'rest';
const REST_PART: Part = { id: REST, appearance: undefined, query: undefined };

const byEscalation = (id: string): Part => ({
  id,
  appearance: escalationAppearance(id),
  query: `howler.escalation:${id}`,
});
const byStatus = (id: string): Part => ({ id, appearance: statusAppearance(id), query: `howler.status:"${id}"` });

/** The splits of bars, with their parts from the bottom up. */
export const SPLITS = {
  severity: [
    ...(['critical', 'high', 'medium', 'low'] as const).map(
      (id): Part => ({ id, appearance: severityAppearance(id), query: severityQuery(id) }),
    ),
    { id: 'none', appearance: severityAppearance('none'), query: undefined },
  ],
  escalation: [...['evidence', 'alert', 'hit', 'miss'].map(byEscalation), REST_PART],
  status: [...['open', 'in-progress', 'on-hold', 'resolved'].map(byStatus), REST_PART],
} as const satisfies Record<string, readonly Part[]>;

export type Split = keyof typeof SPLITS;

export interface HistogramData {
  readonly from: number;
  readonly to: number;
  readonly buckets: readonly TimeBucket[];
}

/** Returns the counts of a search over its time by a split; undefined when it finds nothing. */
export function readHistogram(
  search: Pick<AlertSearch, 'request' | 'indexes'>,
  split: Split,
  signal: AbortSignal,
): Promise<HistogramData | undefined> {
  return readParts(search, SPLITS[split], signal);
}

/** Returns the counts of a search over its time by parts; undefined when it finds nothing. */
export async function readParts(
  { request, indexes }: Pick<AlertSearch, 'request' | 'indexes'>,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<HistogramData | undefined> {
  const bounds = await countsOf(request, indexes, signal).bounds(TIME_FIELD, []);
  if (bounds === undefined) return undefined;
  const { start, end, gap } = stepsOf(...bounds);
  const count = (query: string | undefined) => {
    const filters = query === undefined ? request.filters : [...request.filters, query];
    return histogram({ ...request, filters }, TIME_FIELD, { start, end, gap }, { indexes, signal });
  };
  const counted = await Promise.all(parts.map(({ query }) => count(query)));
  const rest = parts.findIndex(({ query }) => query === undefined);
  const buckets = Array.from({ length: Math.round((end - start) / gap) }, (_, index) => {
    const begin = start + index * gap;
    const counts = counted.map((steps) => steps.get(begin) ?? 0);
    // The last part counted everything; changes between two counts take nothing below zero.
    const others = counts.reduce((sum, one, at) => (at === rest ? sum : sum + one), 0);
    const shown = counts.map((one, at) => (at === rest ? Math.max(0, one - others) : one));
    return { start: begin, counts: Object.fromEntries(parts.map(({ id }, at) => [id, shown[at] ?? 0])) };
  });
  return { from: start, to: end, buckets };
}
