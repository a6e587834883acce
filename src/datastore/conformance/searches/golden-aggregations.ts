import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { InvalidInput, Unsupported } from '../../../errors/errors.ts';
import type { Collection } from '../../port/collection.ts';
import { unrestricted } from '../../port/read-access.ts';
import type { HistogramRequest, Selection, SortClause } from '../../port/search.ts';
import { compileQuery } from '../../query-language/compile-query.ts';
import type { GoldenAggregation } from './golden-rows.ts';

const EVERYTHING = unrestricted('the recorded answers know no callers');

/** Whole numbers beyond it are recorded as text. */
const EXACT_IN_DOUBLE = 2n ** 53n;

type Params = GoldenAggregation['params'];
type Things = Collection<StoredDocument>;

/** The port's answer to a row, in the shape of the recorded one. */
export function aggregationAnswer(collection: Things, row: GoldenAggregation): Promise<unknown> {
  return ANSWERS[row.kind](collection, selectionOf(collection, row), row.params);
}

const ANSWERS: Readonly<
  Record<GoldenAggregation['kind'], (collection: Things, selection: Selection, params: Params) => Promise<unknown>>
> = {
  facet: async (collection, selection, params) => {
    const { buckets, other } = await collection.facet(
      {
        ...selection,
        field: fieldOf(params),
        ...given('rows', params.size),
        ...given('minCount', params.mincount),
        ...given('order', bucketOrder(params.order)),
        ...given('include', textOrList(params.include)),
        ...given('exclude', textOrList(params.exclude)),
        ...given('missing', params.missing),
      },
      EVERYTHING,
    );
    const kind = collection.definition.fieldByPath.get(fieldOf(params))?.searchKind;
    return {
      buckets: buckets.map(({ key, label, count }) => ({
        // The server gives addresses as people write them.
        key: kind === 'ip' ? label : number(key),
        count,
        ...(kind === 'date' || kind === 'boolean' ? { key_as_string: label } : {}),
      })),
      other,
    };
  },
  histogram: (collection, selection, params) =>
    histogram(collection, selection, params, { kind: 'number', size: Number(params.interval) }),
  date_histogram: (collection, selection, params) => {
    const { fixed_interval: duration, calendar_interval: unit } = params;
    if (duration === undefined && unit === undefined) throw notInThePort('a date histogram without an interval');
    const interval =
      duration === undefined
        ? ({ kind: 'calendar', unit: String(unit) } as const)
        : ({ kind: 'fixed', duration: String(duration) } as const);
    return histogram(collection, selection, params, interval);
  },
  stats: async (collection, selection, params) => {
    const result = await collection.stats(
      { ...selection, field: fieldOf(params), ...given('missing', params.missing) },
      EVERYTHING,
    );
    const { count, min, max, avg, sum } = result;
    return {
      count,
      min: min === null ? null : Number(min),
      max: max === null ? null : Number(max),
      avg,
      sum: Number(sum),
    };
  },
  count: async (collection, selection) => ({ count: await collection.count(selection, EVERYTHING) }),
  group: async (collection, selection, params) => {
    const { total, groups } = await collection.group(
      {
        ...selection,
        field: fieldOf(params),
        sort: sortClauses(collection, params.sort ?? [{ id: 'asc' }]),
        groupSort: sortClauses(collection, params.group_sort ?? [{ id: 'asc' }]),
        ...given('limit', params.limit),
        ...given('rows', params.rows),
        ...given('offset', params.offset),
      },
      EVERYTHING,
    );
    return {
      total,
      groups: groups.map((group) => ({
        value: group.value === null ? null : number(group.value),
        total: group.total,
        ids: group.items.map(({ id }) => id),
      })),
    };
  },
  sort: async (collection, selection, params) => {
    const { total, items } = await collection.search(
      {
        ...selection,
        sort: sortClauses(collection, params.sort),
        ...given('rows', params.rows),
        ...given('offset', params.offset),
      },
      EVERYTHING,
    );
    return { total, ids: items.map(({ id }) => id) };
  },
};

async function histogram(
  collection: Things,
  selection: Selection,
  params: Params,
  interval: HistogramRequest['interval'],
): Promise<unknown> {
  const buckets = await collection.histogram(
    {
      ...selection,
      field: fieldOf(params),
      interval,
      ...given('offset', params.offset),
      ...given('minCount', params.mincount),
      ...given('extendedBounds', params.extended_bounds),
      ...given('hardBounds', params.hard_bounds),
      ...given('timeZone', params.time_zone),
      ...given('format', params.format),
      ...given('missing', params.missing),
      ...given('order', bucketOrder(params.order)),
    },
    EVERYTHING,
  );
  return { buckets: buckets.map(({ key, label, count }) => ({ key, key_as_string: label, count })) };
}

/** A search looks into `__text__`; everything else, and every filter, into all fields. */
function selectionOf(collection: Things, { kind, query, filters }: GoldenAggregation): Selection {
  const everyField = { defaultField: '*' } as const;
  return {
    query: compileQuery(query, collection.definition, kind === 'sort' ? {} : everyField),
    filters: filters.map((filter) => compileQuery(filter, collection.definition, everyField)),
  };
}

function fieldOf(params: Params): string {
  return String(params.field);
}

/** Recorded values are of the type that the port has; a wrong one is a row that must be refused. */
function given<K extends string>(key: K, value: unknown): Record<K, never> | Record<string, never> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, never>);
}

function textOrList(value: unknown): unknown {
  return Array.isArray(value) ? value.map(String) : value;
}

function number(value: string | number | bigint | null): string | number | bigint | null {
  if (typeof value !== 'bigint') return value;
  return value >= -EXACT_IN_DOUBLE && value <= EXACT_IN_DOUBLE ? value : String(value);
}

function bucketOrder(value: unknown): unknown {
  const clauses = [value].flat();
  const [clause, tieBreaker] = clauses as Record<string, 'asc' | 'desc'>[];
  if (clause === undefined) return undefined;
  const [[by, direction] = []] = Object.entries(clause);
  if (tieBreaker !== undefined && Object.keys(tieBreaker)[0] !== '_key') throw notInThePort('this order of buckets');
  if (tieBreaker?._key === 'desc') throw notInThePort('ties of an order by count that descend by key');
  if (by !== '_key' && by !== '_count') throw new InvalidInput('invalid_order', `There is no order ${by}.`);
  return { by: by === '_key' ? 'key' : 'count', direction };
}

function sortClauses({ definition }: Things, value: unknown): SortClause[] {
  return (value as (string | Record<string, unknown>)[]).flatMap((clause) => {
    const [[field, setting] = ['', '']] = typeof clause === 'string' ? [[clause, 'asc']] : Object.entries(clause);
    const { order, mode, missing, unmapped_type } =
      typeof setting === 'string' ? { order: setting } : (setting as Record<string, unknown>);
    const direction = String(order).toLowerCase();
    if (direction !== 'asc' && direction !== 'desc')
      throw new InvalidInput('invalid_sort', `There is no order ${order}.`);
    // With a type for it, no document has the unknown field.
    if (unmapped_type !== undefined && !definition.fieldByPath.has(field)) return [];
    if (mode !== undefined && mode !== 'min' && mode !== 'max') throw notInThePort(`the sort mode ${mode}`);
    if (missing !== undefined && missing !== '_first' && missing !== '_last') {
      throw notInThePort('a value for documents without the sort field');
    }
    const place = missing === '_first' ? 'first' : 'last';
    return {
      field,
      order: direction,
      ...(mode === undefined ? {} : { mode }),
      ...(missing === undefined ? {} : { missing: place }),
    };
  });
}

/** No answer can be given to a row that asks for what the port does not have. */
function notInThePort(what: string): Unsupported {
  return new Unsupported('not_in_the_port', `The port does not know ${what}.`);
}
