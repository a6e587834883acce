import { escapedTerm, quotedBound } from '../../../../../../src/datastore/query-language/written-values.ts';
import { compareCodePoints } from '../../../../../../src/datastore/regular-language/code-points.ts';
import { MAX_OFFSET_ROWS, PAGE_ROWS, type Place } from './known-places.ts';

/** The ways to count the values of a field; `other` for none, as with lists. */
export type CountedKind = 'date' | 'number' | 'keyword' | 'other';

/** One field of an order. */
export interface Level {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
  readonly kind: CountedKind;
}

/** Counts the documents of one search that match further filters; times in ms. */
export interface Counts {
  /** Returns the first and the last time; undefined when no document has the field. */
  bounds(field: string, filters: readonly string[]): Promise<readonly [first: number, last: number] | undefined>;
  /**
   * Returns the counts from `start` to `end`, both included, in steps of `gap` ms, by the begin of the
   * step. Steps begin at multiples of `gap`, the first one at or before `start`.
   */
  steps(field: string, filters: readonly string[], range: StepRange): Promise<ReadonlyMap<number, number>>;
  /** Returns the counts by value; undefined where there are too many values. */
  values(field: string, filters: readonly string[]): Promise<ReadonlyMap<string, number> | undefined>;
}

export interface StepRange {
  readonly start: number;
  readonly end: number;
  readonly gap: number;
}

/** Steps of a histogram; the service allows 100. */
const STEPS = 90;

/** A part of the documents in their order, which has the wanted one. */
interface Part {
  /** Documents before the part. */
  readonly before: number;
  readonly filter: string;
  /** Filter of the documents behind the part; undefined: none. */
  readonly behind: string | undefined;
  readonly count: number;
}

/**
 * Finds the place of an index in a result of `total` documents by counting: of a date in finer and
 * finer steps, of another field by its values, and where too many share one value by the next field of
 * the order. Undefined where the documents cannot be counted so, or more than the reach of offsets are
 * equal in all fields.
 */
export async function placeOf(
  index: number,
  total: number,
  [level, ...others]: readonly Level[],
  counts: Counts,
  within: readonly string[] = [],
): Promise<Place | undefined> {
  if (level === undefined || index >= total) return undefined;
  const find = level.kind === 'date' ? partByDate : partByValue;
  const part = level.kind === 'other' ? undefined : await find(index, total, level, counts, within);
  if (part === undefined) return undefined;
  const offset = index - part.before;
  if (isInReach(offset)) return { filter: either(part.filter, part.behind), offset };
  const inner = await placeOf(offset, part.count, others, counts, [...within, part.filter]);
  if (inner?.filter === undefined) return undefined;
  return { filter: either(`(${part.filter} AND ${inner.filter})`, part.behind), offset: inner.offset };
}

async function partByDate(
  index: number,
  total: number,
  { field, direction }: Level,
  counts: Counts,
  within: readonly string[],
): Promise<Part | undefined> {
  const missing = missingOf(field);
  const bounds = await counts.bounds(field, within);
  if (bounds === undefined) return { before: 0, filter: missing, behind: undefined, count: total };
  let [start, end] = [bounds[0], bounds[1] + 1];
  let before = 0;
  for (let depth = 0; ; depth += 1) {
    const gap = Math.max(1, Math.ceil((end - start) / STEPS));
    const steps = await counts.steps(field, within, { start, end: end - 1, gap });
    const begins = stepsBetween(start, end, gap);
    const ordered = (direction === 'asc' ? begins : begins.toReversed()).map((at) => [at, steps.get(at) ?? 0] as const);
    const found = firstReaching(index - before, ordered);
    if (found === undefined) {
      // Documents without the date are the last ones; further down, others went while they were counted.
      const dated = ordered.reduce((sum, [, count]) => sum + count, 0);
      if (depth > 0 || index >= total || dated > index) return undefined;
      return { before: dated, filter: missing, behind: undefined, count: total - dated };
    }
    before += found.before;
    start = Math.max(start, found.key);
    end = Math.min(end, found.key + gap);
    if (gap > 1 && !isInReach(index - before)) continue;
    const [from, to] = [quotedBound(isoOf(start)), quotedBound(isoOf(end))];
    const farther = direction === 'asc' ? `${escapedTerm(field)}:[${to} TO *]` : `${escapedTerm(field)}:[* TO ${from}}`;
    const filter = `${escapedTerm(field)}:[${from} TO ${to}}`;
    return { before, filter, behind: either(farther, missing), count: found.count };
  }
}

async function partByValue(
  index: number,
  total: number,
  { field, direction, kind }: Level,
  counts: Counts,
  within: readonly string[],
): Promise<Part | undefined> {
  const counted = await counts.values(field, within);
  if (counted === undefined) return undefined;
  const compare = kind === 'number' ? (a: string, b: string) => Number(a) - Number(b) : compareCodePoints;
  const ascending = [...counted].toSorted(([left], [right]) => compare(left, right));
  const ordered = direction === 'asc' ? ascending : ascending.toReversed();
  const found = firstReaching(index, ordered);
  if (found === undefined) {
    const before = ordered.reduce((sum, [, count]) => sum + count, 0);
    return { before, filter: missingOf(field), behind: undefined, count: total - before };
  }
  const [name, value] = [escapedTerm(field), quotedBound(found.key)];
  const farther = direction === 'asc' ? `${name}:{${value} TO *]` : `${name}:[* TO ${value}}`;
  const { before, count } = found;
  return { before, filter: `${name}:[${value} TO ${value}]`, behind: either(farther, missingOf(field)), count };
}

function firstReaching<Key>(index: number, counts: readonly (readonly [key: Key, count: number])[]) {
  let before = 0;
  for (const [key, count] of counts) {
    if (index < before + count) return { key, before, count };
    before += count;
  }
  return undefined;
}

function stepsBetween(start: number, end: number, gap: number): number[] {
  const first = Math.floor(start / gap) * gap;
  return Array.from({ length: Math.ceil((end - first) / gap) }, (_, step) => first + step * gap);
}

function isInReach(offset: number): boolean {
  return offset + PAGE_ROWS <= MAX_OFFSET_ROWS;
}

function missingOf(field: string): string {
  return `(NOT _exists_:${escapedTerm(field)})`;
}

function either(filter: string, other: string | undefined): string {
  return other === undefined ? filter : `(${filter} OR ${other})`;
}

/** Returns a time for a query; beyond four digits of a year its milliseconds, which stand for it, too. */
function isoOf(time: number): string {
  const iso = new Date(time).toISOString();
  return /^[+-]/.test(iso) ? String(time) : iso;
}
