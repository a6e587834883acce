import { escapedTerm } from '../../../../src/datastore/query-language/written-values.ts';
import { countRecords, type Facets, facetsOf, searchRecords } from '../../api/alert-searches.ts';
import type { FoundPage } from '../query/results/use-paged-rows.ts';

/** Values of a field that filters of the timeline offer. */
const MAX_VALUES = 200;
const RECORD_FIELDS =
  'howler.id,howler.analytic,howler.outline,howler.status,howler.escalation,timestamp,message,event.created,event.reason';

function recordsQuery(id: string): string {
  return `howler.related:${escapedTerm(id)}`;
}

/** Returns the query of the alerts of a case that are not resolved. */
export function openAlertsQuery(id: string): string {
  return `${recordsQuery(id)} AND NOT howler.status:resolved`;
}

/** An alert or event of the timeline. */
export interface CaseRecord {
  readonly __index?: string;
  readonly timestamp?: string;
  readonly message?: string;
  readonly event?: { readonly created?: string; readonly reason?: string };
  readonly howler: {
    readonly id: string;
    readonly analytic?: string;
    readonly status?: string;
    readonly escalation?: string;
    readonly outline?: { readonly summary?: string; readonly threat?: string; readonly target?: string };
  };
}

/** Returns in a line what an alert or event is about. */
export function recordOutline({ howler: { outline }, event, message }: CaseRecord): string {
  const { summary, threat, target } = outline ?? {};
  const words = [summary, threat, target].filter((part) => part !== undefined && part !== '').join('  ');
  return words || event?.reason || message || '';
}

/** The searches of the alerts and events of a case. */
export const caseRecords = {
  /** Returns the records of a case in the order in which they were created at their source. */
  page(
    id: string,
    { offset, rows, filters = [] }: { offset: number; rows: number; filters?: readonly string[] },
    signal: AbortSignal,
  ): Promise<FoundPage<CaseRecord>> {
    const sort = 'event.created asc,howler.id asc';
    const search = { query: recordsQuery(id), filters, sort, offset, rows, fl: RECORD_FIELDS };
    return searchRecords<CaseRecord>(search, { indexes: 'hit,event', signal });
  },

  /** Counts the alerts of a case that are not resolved. */
  countOpen(id: string): Promise<number> {
    return countRecords({ query: openAlertsQuery(id) });
  },

  /** Counts the values of fields of the records of a case. */
  values(id: string, fields: readonly string[], signal: AbortSignal): Promise<Facets> {
    return facetsOf({ query: recordsQuery(id), fields, rows: MAX_VALUES }, { indexes: 'hit,event', signal });
  },
};
