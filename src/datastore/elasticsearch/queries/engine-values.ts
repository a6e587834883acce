import type { SearchKind } from '../../../documents/schema/field-types.ts';
import type { Bound, IndexedValue } from '../../port/query-tree.ts';
import { formatAddress } from '../../query-language/ip-address.ts';
import { INTEGER_LIMITS } from '../../query-language/number-parsing.ts';

/** A part of the query language of the server, as JSON; bigint stands for a number. */
export type Dsl = Readonly<Record<string, unknown>>;

export const MATCH_ALL_DSL: Dsl = { match_all: {} };
export const MATCH_NONE_DSL: Dsl = { match_none: {} };

/** @see https://www.elastic.co/docs/reference/query-languages/query-dsl/query-dsl-terms-query */
const MAX_TERMS = 65_536;

type IntegerKind = keyof typeof INTEGER_LIMITS;

export function termsDsl(kind: SearchKind, field: string, values: readonly IndexedValue[]): Dsl {
  const clauses: Dsl[] = [];
  const exact = new Set<unknown>();
  for (const value of values) {
    const asRange = kind === 'date' || (kind === 'float' && value === 0);
    if (asRange) clauses.push(rangeDsl(kind, field, { value, inclusive: true }, { value, inclusive: true }));
    else {
      const given = exactValue(kind, value);
      if (given !== undefined) exact.add(given);
    }
  }
  const given = [...exact];
  if (given.length === 1) clauses.push({ term: { [field]: { value: given[0] } } });
  else {
    for (let from = 0; from < given.length; from += MAX_TERMS) {
      clauses.push({ terms: { [field]: given.slice(from, from + MAX_TERMS) } });
    }
  }
  return anyDsl(clauses);
}

export function rangeDsl(kind: SearchKind, field: string, lower: Bound | undefined, upper: Bound | undefined): Dsl {
  switch (kind) {
    case 'integer':
    case 'long':
    case 'date':
      return integerRange(kind, field, lower, upper);
    case 'float':
      return floatRange(field, lower, upper);
    case 'boolean':
      return termsDsl(
        kind,
        field,
        [false, true].filter((value) => isInside(value, lower, upper)),
      );
    default:
      return boundsDsl(kind, field, lower, upper);
  }
}

export function anyDsl(clauses: readonly Dsl[]): Dsl {
  const [only] = clauses;
  if (only === undefined) return MATCH_NONE_DSL;
  return clauses.length === 1 ? only : { bool: { should: clauses, minimum_should_match: 1 } };
}

/** Undefined: no field of the kind holds it. The servers disagree whether that is an error. */
function exactValue(kind: SearchKind, value: IndexedValue): unknown {
  switch (kind) {
    case 'integer':
    case 'long': {
      const whole = integerOf(value);
      const { min, max } = INTEGER_LIMITS[kind];
      return whole === undefined || whole < min || whole > max ? undefined : whole;
    }
    case 'float': {
      const float = Math.fround(Number(value));
      return Number.isFinite(float) ? float : undefined;
    }
    default:
      return textOf(kind, value);
  }
}

function textOf(kind: SearchKind, value: IndexedValue): unknown {
  return kind === 'ip' ? formatAddress(String(value)) : value;
}

function integerOf(value: IndexedValue): bigint | undefined {
  return typeof value === 'number' && !Number.isInteger(value) ? undefined : BigInt(value);
}

const DATE_LIMITS = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

function integerRange(
  kind: IntegerKind | 'date',
  field: string,
  lower: Bound | undefined,
  upper: Bound | undefined,
): Dsl {
  const { min, max } = kind === 'date' ? DATE_LIMITS : INTEGER_LIMITS[kind];
  const from = lower && insideWhole(lower, 1n);
  const to = upper && insideWhole(upper, -1n);
  if (from === 'nothing' || to === 'nothing') return MATCH_NONE_DSL;
  if ((typeof from === 'bigint' && from > max) || (typeof to === 'bigint' && to < min)) return MATCH_NONE_DSL;
  const bounds = {
    ...(typeof from === 'bigint' && from > min ? { gte: from } : {}),
    ...(typeof to === 'bigint' && to < max ? { lte: to } : {}),
  };
  if (Object.keys(bounds).length === 0) return { exists: { field } };
  return { range: { [field]: kind === 'date' ? dateBounds(bounds) : bounds } };
}

/** Years that a date has four digits for. */
const PLAIN_YEARS = { from: Date.UTC(1000, 0), to: Date.UTC(9999, 11, 31) };

/** Sends dates as text where they can be: OpenSearch finds nothing by milliseconds before 1970. */
function dateBounds(bounds: Readonly<Record<string, bigint>>): Dsl {
  const times = Object.entries(bounds).map(([side, time]) => [side, Number(time)] as const);
  if (times.some(([, time]) => time < PLAIN_YEARS.from || time > PLAIN_YEARS.to)) {
    return { ...bounds, format: 'epoch_millis' };
  }
  const texts = times.map(([side, time]) => [side, new Date(time).toISOString()]);
  return { ...Object.fromEntries(texts), format: 'strict_date_optional_time' };
}

/** The outermost whole number inside a bound; `away` is 1 for a lower and -1 for an upper one. */
function insideWhole({ value, inclusive }: Bound, away: 1n | -1n): bigint | 'nothing' | 'everything' {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    if (Number.isNaN(value)) return 'nothing';
    return value > 0 === away > 0n ? 'nothing' : 'everything';
  }
  const whole = integerOf(value);
  if (whole === undefined) return BigInt(away > 0n ? Math.ceil(Number(value)) : Math.floor(Number(value)));
  return inclusive ? whole : whole + away;
}

/** The index tells -0 from 0, and puts it before: as text, since JSON of JavaScript does not know it. */
const BELOW_ZERO = '-0.0';

function floatRange(field: string, lower: Bound | undefined, upper: Bound | undefined): Dsl {
  const [from, to] = [lower && Number(lower.value), upper && Number(upper.value)];
  if (Number.isNaN(from) || Number.isNaN(to)) return MATCH_NONE_DSL;
  if (from === Number.POSITIVE_INFINITY || to === Number.NEGATIVE_INFINITY) return MATCH_NONE_DSL;
  const bounds: Record<string, unknown> = {};
  if (lower && from !== undefined && Number.isFinite(from)) {
    if (lower.inclusive) bounds.gte = from === 0 ? BELOW_ZERO : from;
    else bounds.gt = from === 0 ? 0 : from;
  }
  if (upper && to !== undefined && Number.isFinite(to)) {
    if (upper.inclusive) bounds.lte = to === 0 ? 0 : to;
    else bounds.lt = to === 0 ? BELOW_ZERO : to;
  }
  return Object.keys(bounds).length === 0 ? { exists: { field } } : { range: { [field]: bounds } };
}

function boundsDsl(kind: SearchKind, field: string, lower: Bound | undefined, upper: Bound | undefined): Dsl {
  if (!lower && !upper) {
    // Text without a word exists, and no word of it lies in a range.
    return kind === 'text' || kind === 'ssdeep' ? { range: { [field]: { gte: '' } } } : { exists: { field } };
  }
  return {
    range: {
      [field]: {
        ...(lower ? { [lower.inclusive ? 'gte' : 'gt']: textOf(kind, lower.value) } : {}),
        ...(upper ? { [upper.inclusive ? 'lte' : 'lt']: textOf(kind, upper.value) } : {}),
      },
    },
  };
}

function isInside(value: boolean, lower: Bound | undefined, upper: Bound | undefined): boolean {
  const above = !lower || value > lower.value || (value === lower.value && lower.inclusive);
  return above && (!upper || value < upper.value || (value === upper.value && upper.inclusive));
}
