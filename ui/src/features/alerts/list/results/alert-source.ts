import { facetsOf, searchRecords } from '../../../../api/alert-searches.ts';
import { alerts, dataOf, READ_HEADERS } from '../../../../api/clients.ts';
import type { components } from '../../../../api/generated/alerts.ts';
import { readTime } from '../../../../design/data/values/date-format.ts';
import { valueAt } from '../../../../json/members.ts';
import type { FieldInfo } from '../../../../shell/session-context.tsx';
import type { QueryRequest, QueryState } from '../../../query/model/query-request.ts';
import { queryOfIds } from '../../../query/model/record-queries.ts';
import type { TimeContext } from '../../../query/model/time-range.ts';
import { TRIAGE_FIELDS } from '../../triage/alert.ts';
import { requestOf, type SortOrder, TIME_FIELD } from '../search/alert-search.ts';
import { type CountedKind, type Counts, placeOf, type StepRange } from './deep-place.ts';
import type { ResultSource } from './result-window.ts';
import { filterBehind, orderFields, orderText } from './row-order.ts';

/** A row of the list. `__index` names its kind, where the list has events, too. */
export type AlertRow = components['schemas']['Hit'] & { readonly __index?: string };

/** The kinds of records in the list. */
export type ListIndexes = 'hit' | 'hit,event';

export interface AlertSearch {
  /** The request as of now: for counts, values and everything that is done with all matches. */
  readonly request: QueryRequest;
  readonly state: QueryState;
  readonly context: Omit<TimeContext, 'now' | 'ago'>;
  readonly sort: SortOrder;
  /** Fields of the columns. */
  readonly fields: readonly string[];
  readonly indexes: ListIndexes;
}

const KINDS: Readonly<Partial<Record<string, CountedKind>>> = {
  date: 'date',
  integer: 'number',
  long: 'number',
  float: 'number',
  keyword: 'keyword',
  boolean: 'keyword',
};

/** Returns how a field can be counted, by its description; the date of alerts needs none. */
export function countedKind(field: string, described: Pick<FieldInfo, 'type' | 'list'> | undefined): CountedKind {
  if (field === TIME_FIELD) return 'date';
  return described === undefined || described.list ? 'other' : (KINDS[described.type] ?? 'other');
}

/** Values of one facet; with more, a place is not found by them. */
const MAX_VALUES = 10_000;

/** The fields that every row needs. */
export function fieldsOfRows({ fields, sort }: AlertSearch): readonly string[] {
  return [...new Set([...TRIAGE_FIELDS, ...orderFields(sort), ...fields])];
}

/** Identifiers of one query. */
const MAX_IDS = 500;

/** Reads rows by their identifiers as they are now, whether they match the search or not. */
export async function readRows(
  search: AlertSearch,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly AlertRow[]> {
  const rows: AlertRow[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const part = ids.slice(start, start + MAX_IDS);
    const page = { query: queryOfIds(part), rows: part.length, fl: fieldsOfRows(search).join(',') };
    rows.push(...(await searchRecords<AlertRow>(page, { indexes: search.indexes, signal })).items);
  }
  return rows;
}

export function isEvent(row: AlertRow): boolean {
  return row.__index === 'event';
}

/**
 * Returns what reads the rows of a search from the alert service, as of the moment when it is called.
 * @param kindOf returns how a field can be counted; asked for when a place has to be found
 */
export function alertSource(search: AlertSearch, kindOf: (field: string) => CountedKind): ResultSource<AlertRow> {
  const { sort, indexes } = search;
  const fl = fieldsOfRows(search).join(',');
  const openedAt = performance.now();
  const request = () => requestAgo(search, Math.floor((performance.now() - openedAt) / 1000));
  return {
    read({ filter, offset, rows }, signal) {
      const { query, filters } = request();
      const all = filter === undefined ? filters : [...filters, filter];
      const page = { query, filters: all, offset, rows, sort: orderText(sort), fl, track_total_hits: true };
      return searchRecords<AlertRow>(page, { indexes, signal });
    },
    readById: (ids, signal) => readRows(search, ids, signal),
    idOf: ({ howler }) => howler.id,
    behind: (row) => filterBehind(row, sort),
    // Only the identifier is left of it.
    deletedRow: (id) => ({ howler: { id, analytic: '' } }) as AlertRow,
    locate(index, total, signal) {
      const level = { ...sort, kind: kindOf(sort.field) };
      const levels = sort.field === TIME_FIELD ? [level] : [level, BY_TIME];
      return placeOf(index, total, levels, countsOf(request(), indexes, signal));
    },
  };
}

const BY_TIME = { field: TIME_FIELD, direction: 'desc', kind: 'date' } as const;

/**
 * Returns the request for what matched some seconds ago. The service computes the moment, so that the
 * clock of this computer does not matter.
 */
export function requestAgo({ state, context }: AlertSearch, ago: number): QueryRequest {
  const { query, filters } = requestOf(state, { ...context, now: new Date(), ago });
  return { query, filters: ago === 0 ? filters : [...filters, `NOT ${createdSince(ago)}`] };
}

/** Returns the filter for alerts that were created in the last seconds. */
export function createdSince(ago: number): string {
  return `${TIME_FIELD}:{now-${ago}s TO now]`;
}

/** Returns what counts the documents of a request. */
export function countsOf(request: QueryRequest, indexes: ListIndexes, signal: AbortSignal): Counts {
  const edge = async (field: string, further: readonly string[], direction: 'asc' | 'desc') => {
    const filters = [...request.filters, ...further, `_exists_:${field}`];
    const search = { query: request.query, filters, rows: 1, sort: `${field} ${direction}`, fl: field };
    const { items } = await searchRecords(search, { indexes, signal });
    return items[0] === undefined ? undefined : readTime(valueAt(items[0], field) as string)?.getTime();
  };
  return {
    async bounds(field, filters) {
      const [first, last] = await Promise.all([edge(field, filters, 'asc'), edge(field, filters, 'desc')]);
      return first === undefined || last === undefined ? undefined : [first, last];
    },
    async steps(field, filters, range) {
      const narrowed = { ...request, filters: [...request.filters, ...filters] };
      return histogram(narrowed, field, range, { indexes, signal });
    },
    async values(field, filters) {
      const search = { fields: [field], query: request.query, filters: [...request.filters, ...filters] };
      const counts = (await facetsOf({ ...search, rows: MAX_VALUES }, { indexes, signal }))[field] ?? {};
      const values = Object.entries(counts);
      return values.length < MAX_VALUES ? new Map(values) : undefined;
    },
  };
}

interface HistogramOptions {
  readonly indexes: ListIndexes;
  readonly signal: AbortSignal;
}

/** Counts a date field of each kind of record in steps, by the begin of a step. */
export async function histogram(
  { query, filters }: QueryRequest,
  field: string,
  { start, end, gap }: StepRange,
  { indexes, signal }: HistogramOptions,
): Promise<ReadonlyMap<number, number>> {
  // Three numbers are milliseconds: no date is beyond them, and no step too long.
  const body = { query, filters: [...filters], start, end, gap, mincount: 1, timeout: 60_000 };
  const counted = await Promise.all(
    indexes.split(',').map((index) => {
      const params = { path: { index, field } };
      const options = { params, body, headers: READ_HEADERS, signal };
      return dataOf(alerts.POST('/api/v1/search/histogram/{index}/{field}', options));
    }),
  );
  const steps = new Map<number, number>();
  for (const [begin, count] of counted.flatMap((counts) => Object.entries(counts))) {
    const at = Date.parse(begin);
    steps.set(at, (steps.get(at) ?? 0) + Number(count));
  }
  return steps;
}
