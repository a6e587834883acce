import { queryOfIds } from '../../query/model/record-queries.ts';
import { type Alert, type Triage, triageOf } from './alert.ts';
import type { AlertApi } from './requests/alert-api.ts';
import type { Target } from './requests/alert-writer.ts';

/** An alert that commands concern, with what their dialogues need. */
export interface TriageTarget extends Target {
  readonly analytic: string;
}

/** All alerts of a query, of which a list holds only some. */
export interface MatchingAlerts {
  readonly query: string;
  readonly filters: readonly string[];
  readonly total: number;
  /** Returns the triage that the person saw of an alert; undefined where they saw none. */
  readonly seen?: ((id: string) => Triage | undefined) | undefined;
}

export type Selection = readonly TriageTarget[] | MatchingAlerts;

/** The fields that rows need so that triage works on them. */
export const TRIAGE_FIELDS = [
  'howler.id',
  'howler.analytic',
  'howler.status',
  'howler.assignment',
  'howler.escalation',
  'howler.assessment',
  'howler.rationale',
  'howler.triaged',
] as const;

/** Alerts that one bulk may have. */
export const MAX_BULK = 10_000;

export function isMatching(selection: Selection): selection is MatchingAlerts {
  return 'query' in selection;
}

export function countOf(selection: Selection): number {
  return isMatching(selection) ? selection.total : selection.length;
}

export function targetOf(alert: { readonly howler: Partial<Alert['howler']> }): TriageTarget {
  const { id = '', analytic = '' } = alert.howler;
  return { id, analytic, seen: triageOf(alert) };
}

/** Returns the alerts of a selection, at most MAX_BULK of them, as they are now. */
export async function targetsOf(selection: Selection, api: AlertApi): Promise<readonly TriageTarget[]> {
  if (!isMatching(selection)) return selection;
  const found: TriageTarget[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.page(selection.query, selection.filters, TRIAGE_FIELDS.join(','), cursor);
    for (const row of page.rows) {
      const target = targetOf(row);
      found.push({ ...target, seen: selection.seen?.(target.id) ?? target.seen });
    }
    cursor = page.next;
  } while (cursor !== undefined && found.length < MAX_BULK);
  return found.slice(0, MAX_BULK);
}

/** Returns a selection as a query. */
export function queryOf(selection: Selection): { readonly query: string; readonly filters: readonly string[] } {
  if (isMatching(selection)) return { query: selection.query, filters: selection.filters };
  return { query: queryOfIds(selection.map(({ id }) => id)), filters: [] };
}

/** Returns the identifiers of the selected alerts that a query matches, at most MAX_BULK of them. */
export async function matchingIds(selection: Selection, matching: string, api: AlertApi): Promise<readonly string[]> {
  const { query, filters } = queryOf(selection);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.page(query, [...filters, matching], 'howler.id', cursor);
    found.push(...page.rows.map(({ howler }) => howler.id));
    cursor = page.next;
  } while (cursor !== undefined && found.length < MAX_BULK);
  return found.slice(0, MAX_BULK);
}
