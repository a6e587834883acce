import {
  choiceParameter,
  searchParameters,
  stringParameter,
  stringsParameter,
} from '../../../../shell/search-parameters.ts';
import { readFilter, writeFilter } from '../../../query/model/filter-query.ts';
import { type QueryRequest, type QueryState, queryRequest } from '../../../query/model/query-request.ts';
import { readTimeRange, type TimeContext, type TimeRange, writeTimeRange } from '../../../query/model/time-range.ts';
import { ALERT_TABS, type AlertTab } from '../../alert/alert-tabs.ts';

/** The state of the list in its address. Absent members are at their defaults. */
export interface AlertListParameters {
  /** Lucene query, as typed. */
  readonly q?: string | undefined;
  /** Filters, as `writeFilter` writes them. */
  readonly f?: readonly string[] | undefined;
  /** Time range, as `writeTimeRange` writes it. */
  readonly span?: string | undefined;
  /** `field direction`. */
  readonly sort?: string | undefined;
  /** Id of the open alert. */
  readonly id?: string | undefined;
  /** Kind of the open record, where it is no alert. */
  readonly kind?: 'event' | undefined;
  /** The open tab of the open alert. */
  readonly tab?: AlertTab | undefined;
  /** Id of the view whose search this is. */
  readonly view?: string | undefined;
  /** The split of the histogram. */
  readonly by?: 'severity' | 'escalation' | 'status' | undefined;
}

export const readAlertListParameters = searchParameters<AlertListParameters>({
  q: stringParameter(),
  f: stringsParameter(),
  span: stringParameter(),
  sort: stringParameter(),
  id: stringParameter(),
  kind: choiceParameter(['event']),
  tab: choiceParameter(ALERT_TABS),
  view: stringParameter(),
  by: choiceParameter(['severity', 'escalation', 'status']),
});

/** The part of the address that names the open record. */
type OpenedParameters = Pick<AlertListParameters, 'id' | 'kind' | 'tab'>;

/** Returns the part of an address that says what the rows are. */
export function searchPart({
  id,
  kind,
  tab,
  ...search
}: AlertListParameters): Omit<AlertListParameters, keyof OpenedParameters> {
  return search;
}

/** Returns the part of an address that says what is open beside the rows. */
export function openPart({ id, kind, tab }: AlertListParameters): OpenedParameters {
  return { id, kind, tab };
}

/** The date of an alert that ranges, histogram and the usual order refer to. */
export const TIME_FIELD = 'event.created';

export interface SortOrder {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** Reads `field direction`; the first of several orders counts, an unreadable one is the newest first. */
export function readSort(sort: string | undefined): SortOrder {
  const [, field, direction] = /^\s*([\w.]+)\s+(asc|desc)\b/.exec(sort ?? '') ?? [];
  if (field === undefined) return { field: TIME_FIELD, direction: 'desc' };
  return { field, direction: direction === 'asc' ? 'asc' : 'desc' };
}

export function writeSort({ field, direction }: SortOrder): string {
  return `${field} ${direction}`;
}

/** Returns the state of the query bar that an address stands for. */
export function queryStateOf({ q = '', f = [], span = '' }: AlertListParameters): QueryState {
  const range = readTimeRange(span);
  return { text: q, filters: f.map(readFilter), range: range === 'not_a_range' ? undefined : range };
}

/** Returns the parameters of a changed state, for an address. */
export function parametersOf(state: QueryState): Pick<AlertListParameters, 'q' | 'f' | 'span'> {
  return {
    q: state.text === '' ? undefined : state.text,
    f: state.filters.length === 0 ? undefined : state.filters.map(writeFilter),
    span: writtenSpan(state.range),
  };
}

function writtenSpan(range: TimeRange | undefined): string | undefined {
  const written = writeTimeRange(range);
  return written === '' ? undefined : written;
}

/** Returns what a search, facet or histogram of the state sends. */
export function requestOf(state: QueryState, context: TimeContext): QueryRequest {
  return queryRequest(state, TIME_FIELD, context);
}
