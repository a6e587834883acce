import { type Static, Type } from 'typebox';
import { allOf, MATCH_NONE, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { SortClause } from '../../datastore/port/search.ts';
import { checkConditions, compileQuery } from '../../datastore/query-language/compile-query.ts';
import { patternBudget } from '../../datastore/regular-language/query-limits.ts';
import { alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { InvalidInput, isTriadError } from '../../errors/errors.ts';
import { integer, listOf, presence, text } from '../../input/input-kinds.ts';
import { checkSortFields, readSort } from '../../search/sort-clauses.ts';

const MAX_NUMBER = 999_999_999;
const MAX_FILTERS = 100;

/** Alerts by query, filters and time. */
export const AlertSelectionQuery = Type.Object({
  q: text({ description: 'Lucene query of the alerts.', default: 'alert_id:*' }),
  fq: listOf(Type.String(), {
    description: 'Further queries that the alerts match.',
    default: [],
    maxItems: MAX_FILTERS,
  }),
  tc: Type.Optional(text({ description: 'Only alerts of this time before `tc_start`, such as `4d`.' })),
  tc_start: Type.Optional(text({ description: 'Only alerts until this time. Default: those that are not too new.' })),
  no_delay: presence({ description: 'Present: the newest alerts too.' }),
});
export type AlertSelectionInput = Static<typeof AlertSelectionQuery>;

/** A page of alerts. */
export const AlertPageQuery = Type.Object({
  ...AlertSelectionQuery.properties,
  offset: integer({ minimum: 0, maximum: MAX_NUMBER, default: 0 }),
  rows: integer({ minimum: 0, maximum: MAX_NUMBER, default: 100 }),
  sort: Type.Optional(text({ description: '`<field> asc|desc`, several with commas. Default: the newest first.' })),
  track_total_hits: presence({ description: 'Present: totals above 10,000 are exact.' }),
});
export type AlertPageInput = Static<typeof AlertPageQuery>;

export interface AlertSelection {
  readonly query: QueryNode;
  readonly filters: readonly QueryNode[];
}

/** Milliseconds; 0: none. */
interface SelectionOptions {
  /** Time for which new alerts are not shown yet. */
  readonly delay: number;
  readonly now: Date;
}

/** Time that a request starts to look back from: its own, or where the newest alerts are held back. */
export function startOf(
  { tc_start: given, no_delay: withNewest }: AlertSelectionInput,
  { delay, now }: SelectionOptions,
): string | undefined {
  if (given !== undefined) return given;
  return withNewest || delay === 0 ? undefined : formatDate(new Date(now.getTime() - delay));
}

/** Throws `invalid_query` and `query_too_complex` in the words of the public system. */
export function compileAlertSelection(
  input: AlertSelectionInput,
  start: string | undefined,
  now: Date,
): AlertSelection {
  return asSearch(() => {
    const budget = patternBudget();
    const query = compileQuery(input.q, alertDocument, { now, budget });
    const filters = input.fq
      .filter((filter) => filter.trim() !== '')
      .map((filter) => compileQuery(filter, alertDocument, { now, budget, defaultField: '*' }));
    const time = timeFilter(input.tc, start, now);
    checkConditions(allOf(query, ...filters), alertDocument);
    return { query, filters: time === undefined ? filters : [...filters, time] };
  });
}

/** Returns the order of a page, the newest first at the end. @throws `invalid_sort` and the like */
export function readAlertSort(sort: string | undefined): readonly SortClause[] {
  return asSearch(() => {
    const clauses = readSort(sort) ?? [];
    checkSortFields([alertDocument], clauses);
    return [...clauses, { field: 'reporting_ts', order: 'desc' }];
  });
}

/** Refuses a field that alerts cannot be grouped by. @throws InvalidInput `unknown_field` */
export function checkAlertField(field: string): void {
  if (alertDocument.fieldByPath.has(field)) return;
  throw new InvalidInput('unknown_field', `SearchException: No field [${field}] in alerts.`, { at: 'field' });
}

/** Runs what reads or executes a query, and words its refusals as the public system does. */
export function asSearch<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw searchException(error);
  }
}

/** Returns the error of a search in the words of the public system; other errors unchanged. */
export function searchException(error: unknown): unknown {
  if (!isTriadError(error) || error.kind !== 'invalid_input') return error;
  return new InvalidInput(error.code, `SearchException: ${error.message}`, {
    at: error.at,
    cause: error,
    response: '',
  });
}

const TIME = /^[0-9A-Za-z:.+/|-]+$/;

/** A time that cannot be read selects no alerts, as in the public system. */
function timeFilter(span: string | undefined, start: string | undefined, now: Date): QueryNode | undefined {
  if (span === undefined && start === undefined) return undefined;
  if (!TIME.test(`${span ?? ''}${start ?? ''}`)) return MATCH_NONE;
  const begin = span === undefined ? '*' : start === undefined ? `now-${span}` : `${start}||-${span}`;
  try {
    return compileQuery(`reporting_ts:[${begin} TO ${start ?? 'now'}]`, alertDocument, { now });
  } catch (error) {
    if (isTriadError(error)) return MATCH_NONE;
    throw error;
  }
}
