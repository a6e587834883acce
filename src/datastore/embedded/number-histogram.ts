import { InvalidInput } from '../../errors/errors.ts';
import { type AggregatedField, labelOf } from './aggregated-values.ts';
import { type CountedBuckets, type HistogramSpec, histogramValues } from './histogram-values.ts';
import type { QueryContext } from './query-context.ts';
import type { Statement } from './sql-statement.ts';

/** Counts by the number of the interval that a value lies in. */
export async function numberBuckets(
  context: QueryContext,
  spec: HistogramSpec,
  field: AggregatedField | undefined,
  statement: Statement,
): Promise<CountedBuckets | undefined> {
  const size = spec.interval.kind === 'number' ? spec.interval.size : 0;
  if (!(size > 0) || !Number.isFinite(size))
    throw new InvalidInput('invalid_interval', 'The interval has to be positive.', { at: 'interval' });
  const offset = Number(spec.offset ?? 0);
  if (!field) return undefined;
  const value = field.kind === 'boolean' ? 'v::INTEGER' : 'v';
  const position = `floor((${value}::DOUBLE - ${statement.bind(offset)}::DOUBLE) / ${statement.bind(size)}::DOUBLE)`;
  const bounds = boundsOf(spec);
  const keyOf = (at: number): number => at * size + offset;
  const sql = `SELECT p, count(*) FROM (SELECT DISTINCT n, k, ${position} AS p FROM (${histogramValues(context, spec, field, statement)})) GROUP BY p`;
  const single = `SELECT ${position} AS p, count(*) FROM (${histogramValues(context, spec, field, statement)}) GROUP BY p`;
  const rows = await context.rows(field.list ? sql : single, statement.values);
  const counts = new Map<number, number>();
  for (const [at, count] of rows) {
    const edge = Number(at) * size;
    if (bounds.min !== undefined && edge < bounds.min) continue;
    if (bounds.max !== undefined && edge >= bounds.max) continue;
    counts.set(keyOf(Number(at)), Number(count));
  }
  const edgeOf = (bound: number): number => keyOf(Math.floor((bound - offset) / size));
  const extended = spec.extendedBounds && {
    min: edgeOf(Number(spec.extendedBounds.min)),
    max: edgeOf(Number(spec.extendedBounds.max)),
  };
  return {
    counts,
    extended,
    next: (key) => keyOf(Math.round((key - offset) / size) + 1),
    label: (key) => labelOf(field, key),
  };
}

function boundsOf({ hardBounds }: HistogramSpec): { min: number | undefined; max: number | undefined } {
  const read = (bound: number | string | undefined): number | undefined => {
    if (bound === undefined) return undefined;
    const number = Number(bound);
    if (!Number.isFinite(number))
      throw new InvalidInput('invalid_bounds', 'Bounds have to be numbers.', { at: 'hardBounds' });
    return number;
  };
  return { min: read(hardBounds?.min), max: read(hardBounds?.max) };
}
