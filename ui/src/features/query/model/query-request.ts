import { expandWords } from '../words/expand-words.ts';
import type { Filter } from './filter.ts';
import { filterQuery } from './filter-query.ts';
import { type TimeContext, type TimeRange, timeQuery } from './time-range.ts';

/** The search of a page: the text of the bar, the chips above it and the time beside it. */
export interface QueryState {
  readonly text: string;
  readonly filters: readonly Filter[];
  /** Undefined: all times. */
  readonly range?: TimeRange | undefined;
}

/** The members of a search request that a query bar decides. */
export interface QueryRequest {
  readonly query: string;
  readonly filters: string[];
}

export const MATCH_ALL = '*:*';

/**
 * Returns the query and filters of a search, count, facet or histogram request for alerts. Words
 * without a field are looked for in their fields (`expandWords`).
 * @param timeField the date field of `state.range`
 */
export function queryRequest(state: QueryState, timeField: string, context: TimeContext): QueryRequest {
  const time = timeQuery(state.range, timeField, context);
  const filters = state.filters.filter(({ off }) => !off).map(expandedFilter);
  return {
    query: state.text.trim() === '' ? MATCH_ALL : expandWords(state.text).text,
    filters: time === undefined ? filters : [...filters, time],
  };
}

function expandedFilter(filter: Filter): string {
  const query = filterQuery(filter);
  return filter.kind === 'query' ? expandWords(query).text : query;
}

/**
 * Returns one query that finds what the text, filters and range find together: to save, share and
 * explain.
 */
export function combinedQuery(state: QueryState, timeField: string, context: TimeContext): string {
  const { query, filters } = queryRequest(state, timeField, context);
  const parts = query === MATCH_ALL && filters.length > 0 ? filters : [query, ...filters];
  return parts.length === 1 ? (parts[0] ?? MATCH_ALL) : parts.map((part) => `(${part})`).join(' AND ');
}
