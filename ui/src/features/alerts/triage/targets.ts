import { queryOfIds } from '../../query/model/record-queries.ts';
import { type Alert, TRIAGE_FIELDS, type Triage, triageOf } from './alert.ts';
import type { AlertApi } from './requests/alert-api.ts';

/** An alert that a person wants to change. */
export interface Target {
  readonly id: string;
  /** The triage that the person saw; another one on the server is a conflict. */
  readonly seen: Triage;
}

/** An alert that commands concern, with what their dialogues need. */
export interface TriageTarget extends Target {
  readonly analytic: string;
}

/** All alerts of a query, of which a list holds only some. */
export interface MatchingAlerts {
  readonly query: string;
  readonly filters: readonly string[];
  /** The number that the person was shown; more are changed only after a question. */
  readonly total: number;
  /** Returns the triage that the person saw of an alert; undefined where they saw none. */
  readonly seen?: ((id: string) => Triage | undefined) | undefined;
}

export type Selection = readonly TriageTarget[] | MatchingAlerts;

export function isMatching(selection: Selection): selection is MatchingAlerts {
  return 'query' in selection;
}

export function countOf(selection: Selection): number {
  return isMatching(selection) ? selection.total : selection.length;
}

/** Returns whether a selection is one alert that is known: the one with this identifier. */
export function isAlone(selection: Selection, id: string): boolean {
  return !isMatching(selection) && selection.length === 1 && selection[0]?.id === id;
}

export function targetOf(alert: { readonly howler: Partial<Alert['howler']> }): TriageTarget {
  const { id = '', analytic = '' } = alert.howler;
  return { id, analytic, seen: triageOf(alert) };
}

/** Yields all alerts of a query as they are now, page by page. */
export async function* targetPages(
  { query, filters, seen }: MatchingAlerts,
  api: Pick<AlertApi, 'pages'>,
): AsyncGenerator<readonly TriageTarget[]> {
  for await (const rows of api.pages(query, filters, TRIAGE_FIELDS.join(','))) {
    yield rows.map((row) => {
      const target = targetOf(row);
      return { ...target, seen: seen?.(target.id) ?? target.seen };
    });
  }
}

/** Returns a selection as a query. */
export function queryOf(selection: Selection): { readonly query: string; readonly filters: readonly string[] } {
  if (isMatching(selection)) return { query: selection.query, filters: selection.filters };
  return { query: queryOfIds(selection.map(({ id }) => id)), filters: [] };
}

/** Yields the identifiers of the selected alerts that a query matches, page by page. */
export async function* matchingIds(
  selection: Selection,
  matching: string,
  api: Pick<AlertApi, 'pages'>,
): AsyncGenerator<readonly string[]> {
  const { query, filters } = queryOf(selection);
  for await (const rows of api.pages(query, [...filters, matching], 'howler.id')) {
    yield rows.map(({ howler }) => howler.id);
  }
}
