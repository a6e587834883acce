import { searchRecords } from '../../../../api/alert-searches.ts';
import { alerts, dataOf, READ_HEADERS } from '../../../../api/clients.ts';
import type { components } from '../../../../api/generated/alerts.ts';
import { valueAt } from '../../../../json/members.ts';
import type { QueryRequest } from '../../../query/model/query-request.ts';
import { TRIAGE_FIELDS } from '../../triage/alert.ts';
import type { SortOrder } from '../search/alert-search.ts';
import { type DateCounts, placeOf } from './deep-place.ts';
import type { ResultSource } from './result-window.ts';

export type AlertRow = components['schemas']['Hit'];

/** The fields that every row needs. */
const ROW_FIELDS = TRIAGE_FIELDS;

export interface AlertSearch {
  readonly request: QueryRequest;
  readonly sort: SortOrder;
  /** Fields of the columns. */
  readonly fields: readonly string[];
  /** True where the sort field is a date, which can be counted in steps. */
  readonly isSortedByDate: boolean;
}

/** Returns what reads the rows of a search from the alert service. */
export function alertSource(search: AlertSearch): ResultSource<AlertRow> {
  const { request, sort, fields, isSortedByDate } = search;
  const fl = [...new Set([...ROW_FIELDS, ...fields])].join(',');
  const counts = dateCounts(request, sort.field);
  return {
    read({ filter, offset, rows }, signal) {
      const filters = filter === undefined ? request.filters : [...request.filters, filter];
      const order = `${sort.field} ${sort.direction}`;
      const page = { query: request.query, filters, offset, rows, sort: order, fl, track_total_hits: true };
      return searchRecords(page, { signal });
    },
    ...(isSortedByDate ? { locate: (index, signal) => placeOf(index, sort, counts, signal) } : {}),
  };
}

/** Returns what counts a date field of a search. */
export function dateCounts(request: QueryRequest, field: string): DateCounts {
  const edge = async (direction: 'asc' | 'desc', signal: AbortSignal) => {
    const filters = [...request.filters, `_exists_:${field}`];
    const search = { query: request.query, filters, rows: 1, sort: `${field} ${direction}`, fl: field };
    const { items } = await searchRecords(search, { signal });
    return items[0] === undefined ? undefined : Date.parse(String(valueAt(items[0], field)));
  };
  return {
    async bounds(signal) {
      const [first, last] = await Promise.all([edge('asc', signal), edge('desc', signal)]);
      return first === undefined || last === undefined ? undefined : [first, last];
    },
    async steps(start, end, gap, signal) {
      const found = await histogram(request, field, { start, end, gap }, signal);
      return new Map(found);
    },
  };
}

/** Returns the counts of a date field in steps of `gap` ms, as pairs of begin and count. */
export async function histogram(
  { query, filters }: QueryRequest,
  field: string,
  { start, end, gap }: { readonly start: number; readonly end: number; readonly gap: number },
  signal: AbortSignal,
): Promise<[begin: number, count: number][]> {
  const body = {
    query,
    filters,
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    gap: `+${Math.round(gap / 1000)}s`,
    mincount: 1,
    timeout: 60_000,
  };
  const path = { index: 'hit', field };
  const counts = await dataOf(
    alerts.POST('/api/v1/search/histogram/{index}/{field}', { params: { path }, body, headers: READ_HEADERS, signal }),
  );
  return Object.entries(counts).map(([begin, count]) => [Date.parse(begin), Number(count)]);
}
