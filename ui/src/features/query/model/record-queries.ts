import { escapedTerm, quotedPhrase } from '../../../../../src/datastore/query-language/written-values.ts';

/** Returns the query of records that have one of the values in a field. */
export function queryOfValues(field: string, values: readonly string[]): string {
  return `${field}:(${values.map(quotedPhrase).join(' OR ')})`;
}

/** Returns the query of alerts by their identifiers. */
export function queryOfIds(ids: readonly string[]): string {
  return queryOfValues('howler.id', ids);
}

/** Returns the query for the alerts of an analytic, and of one of its detections where it is given. */
export function queryOfAnalytic(analytic: string, detection?: string | undefined): string {
  if (analytic === '') return '';
  const query = `howler.analytic:${quotedPhrase(analytic)}`;
  return detection === undefined || detection === ''
    ? query
    : `${query} AND howler.detection:${quotedPhrase(detection)}`;
}

/** Returns a query for records that have each typed word in one of the fields. */
export function wordsQuery(typed: string, fields: readonly string[]): string {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return '*:*';
  const clauses = words.map((word) => {
    const pattern = `*${escapedTerm(word)}*`;
    return `(${fields.map((field) => `${field}:${pattern}`).join(' OR ')})`;
  });
  return clauses.join(' AND ');
}
