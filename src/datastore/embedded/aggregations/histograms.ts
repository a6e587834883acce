import type { HistogramBucket } from '../../port/search.ts';
import { labelOf } from '../../semantics/aggregated-field.ts';
import {
  answeredBuckets,
  type CountedBuckets,
  dateSteps,
  type HistogramSpec,
  numberSteps,
} from '../../semantics/histogram-steps.ts';
import type { TimeRounding } from '../../semantics/time-rounding.ts';
import type { TimeZone } from '../../semantics/time-zone.ts';
import type { SqlValue } from '../columns/column-database.ts';
import type { QueryContext } from '../queries/query-context.ts';
import type { Statement } from '../queries/sql-statement.ts';
import { type AggregatedField, aggregatedField, foundValues } from './aggregated-values.ts';

export async function histogram(context: QueryContext, spec: HistogramSpec): Promise<readonly HistogramBucket[]> {
  const statement = context.statement();
  const field = spec.field && aggregatedField(statement, spec.field);
  // Intervals and bounds are checked also where nothing is found.
  const steps = spec.interval.kind === 'number' ? numberSteps(spec) : dateSteps(spec);
  if (!field) return [];
  const sql = `SELECT * FROM (${foundValues(context, spec.missing, field, statement)}) WHERE v IS NOT NULL`;
  const values: FoundValues = { context, field, statement, sql };
  const counted = 'size' in steps ? await numberBuckets(values, steps) : await dateBuckets(values, steps);
  return answeredBuckets(counted, spec);
}

/** The values that are counted, as the rows of `sql`. */
interface FoundValues {
  readonly context: QueryContext;
  readonly field: AggregatedField;
  readonly statement: Statement;
  readonly sql: string;
}

async function numberBuckets(
  { context, field, statement, sql }: FoundValues,
  { size, offset, finish }: ReturnType<typeof numberSteps>,
): Promise<CountedBuckets> {
  const value = field.kind === 'boolean' ? 'v::INTEGER' : 'v';
  const position = `floor((${value}::DOUBLE - ${statement.bind(offset)}::DOUBLE) / ${statement.bind(size)}::DOUBLE)`;
  // A document counts once in a bucket, also when several of its values lie there.
  const positions = field.list
    ? `SELECT DISTINCT n, k, ${position} AS p FROM (${sql})`
    : `SELECT ${position} AS p FROM (${sql})`;
  const rows = await context.rows(`SELECT p, count(*) FROM (${positions}) GROUP BY p`, statement.values);
  return finish(
    rows.map(([at, count]) => [Number(at), Number(count)]),
    (key) => labelOf(field, key),
  );
}

/** A period with one offset of the local clock. */
interface Stretch {
  readonly start: number;
  readonly offset: number;
}

/** Counts by buckets of time, from the counts in SQL of steps that lie in one bucket each. */
async function dateBuckets(
  values: FoundValues,
  { zone, rounding, shift, finish }: ReturnType<typeof dateSteps>,
): Promise<CountedBuckets> {
  const { context, field, statement } = values;
  if (field.list || !zone.isFixed) await context.oneState();
  const times = { ...values, sql: `SELECT n, k, v - ${Math.trunc(shift)} AS t FROM (${values.sql})` };
  const stretches = await stretchesOf(times, zone);
  const steps = stepSql(times.sql, stretches, rounding);
  const rows = await context.rows(`SELECT stretch, step, count(*) FROM (${steps}) GROUP BY ALL`, statement.values);
  const keyed = rows.map(([stretch = 0n, step = 0n, count]) => {
    const { start, offset } = stretches[Number(stretch)] ?? { start: Number.NEGATIVE_INFINITY, offset: 0 };
    const time = Math.max(start, Number(step) * rounding.step - offset);
    return { stretch, step, key: rounding.round(time) + shift, count: Number(count) };
  });
  return finish(field.list ? await countOnce() : sums(keyed));

  async function countOnce(): Promise<Map<number, number>> {
    const list = (pick: (row: (typeof keyed)[number]) => SqlValue): string =>
      `unnest(${statement.bindList(keyed.map(pick), 'whole')})`;
    const buckets = `SELECT ${list((row) => row.stretch)} AS stretch, ${list((row) => row.step)} AS step,
      ${list((row) => BigInt(row.key))} AS key`;
    const sql = `SELECT key, count(*) FROM (SELECT DISTINCT n, k, key FROM (${steps}) JOIN (${buckets})
      USING (stretch, step)) GROUP BY key`;
    const found = await context.rows(sql, statement.values);
    return new Map(found.map(([at, count]) => [Number(at), Number(count)]));
  }
}

function sums(rows: readonly { readonly key: number; readonly count: number }[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { key, count } of rows) counts.set(key, (counts.get(key) ?? 0) + count);
  return counts;
}

function stepSql(times: string, stretches: readonly Stretch[], rounding: TimeRounding): string {
  const step = (offset: number | string): string => `floor((t + ${offset}) / ${rounding.step})::BIGINT`;
  const [first] = stretches;
  if (stretches.length === 1 && first)
    return `SELECT n, k, 0::BIGINT AS stretch, ${step(first.offset)} AS step FROM (${times})`;
  const ends = stretches.slice(1).map(({ start }) => start);
  const cases = (result: (at: number) => string): string =>
    `CASE ${ends.map((end, at) => `WHEN t < ${end} THEN ${result(at)}`).join(' ')} ELSE ${result(ends.length)} END`;
  const offset = cases((at) => String(stretches[at]?.offset ?? 0));
  return `SELECT n, k, stretch::BIGINT AS stretch, ${step('o')} AS step
    FROM (SELECT n, k, t, ${cases(String)} AS stretch, ${offset} AS o FROM (${times}))`;
}

/** Returns the stretches of the data; a zone with one offset needs no statement for them. */
async function stretchesOf({ context, statement, sql }: FoundValues, zone: TimeZone): Promise<readonly Stretch[]> {
  const always = { start: Number.NEGATIVE_INFINITY, offset: zone.offsetAt(0) };
  if (zone.isFixed) return [always];
  const [range] = await context.rows(`SELECT min(t), max(t) FROM (${sql})`, statement.values);
  if (range?.[0] === null || range?.[0] === undefined) return [always];
  const from = Number(range[0]);
  const changes = zone.transitions(from, Number(range[1]));
  return [
    { start: Number.NEGATIVE_INFINITY, offset: zone.offsetAt(from) },
    ...changes.map((start) => ({ start, offset: zone.offsetAt(start) })),
  ];
}
