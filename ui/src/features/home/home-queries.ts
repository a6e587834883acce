import { quotedPhrase } from '../../../../src/datastore/query-language/written-values.ts';

/** Alerts that wait for an assessment. */
export const OPEN = 'NOT howler.status:resolved';

/** Returns the query for the open alerts of a user. */
export function assignedQuery(username: string): string {
  return `howler.assignment:${quotedPhrase(username)} AND ${OPEN}`;
}
