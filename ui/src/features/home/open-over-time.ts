import { type HistogramData, readParts } from '../alerts/list/histogram/histogram-data.ts';
import { valueCounts } from './home-data.ts';
import { partsOf, type ValuePart } from './value-parts.ts';

/** Values that a chart tells apart; the others are one part. */
const SHOWN = 5;

export interface ValuesOverTime extends Pick<HistogramData, 'from' | 'to' | 'buckets'> {
  /** From the bottom of a bar up. */
  readonly parts: readonly ValuePart[];
}

/** Counts the alerts of a query over time, by the most frequent values of a field; null without alerts. */
export async function valuesOverTime(
  query: string,
  field: string,
  signal: AbortSignal,
): Promise<ValuesOverTime | null> {
  const values = await valueCounts(query, field, SHOWN, signal);
  const parts = partsOf(
    field,
    values.map(({ value }) => value),
  );
  const data = await readParts({ request: { query, filters: [] }, indexes: 'hit' }, parts, signal);
  if (data === undefined) return null;
  const counted = parts.map((part) => {
    const count = data.buckets.reduce((sum, { counts }) => sum + (counts[part.id] ?? 0), 0);
    return { ...part, count };
  });
  return { ...data, parts: counted.filter(({ count }) => count > 0) };
}
