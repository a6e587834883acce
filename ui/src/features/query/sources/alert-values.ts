import { facetsOf } from '../../../api/alert-searches.ts';
import { expandWords } from '../words/expand-words.ts';
import type { LoadValues } from './counted-values.ts';

/** Returns what counts values of records by the facets of the alert service. */
function valuesOf(indexes: string, asked: (query: string) => string): LoadValues {
  return async ({ field, query, filters, rows }, signal) =>
    (await facetsOf({ fields: [field], query: asked(query), filters, rows }, { indexes, signal }))[field] ?? {};
}

export const alertValues = valuesOf('hit', (query) => expandWords(query).text);
export const caseValues = valuesOf('case', (query) => query);
