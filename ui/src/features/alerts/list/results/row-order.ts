import { escapedTerm, quotedBound } from '../../../../../../src/datastore/query-language/written-values.ts';
import { memberOf, valueAt } from '../../../../json/members.ts';
import { type SortOrder, TIME_FIELD } from '../search/alert-search.ts';

const ID_FIELD = 'howler.id';
/** Longer values would fill the query. */
const MAX_VALUE_LENGTH = 1_000;

/** The fields that the order of rows is made of. */
export function orderFields({ field }: SortOrder): string[] {
  return [...new Set([field, TIME_FIELD, ID_FIELD])];
}

/**
 * Returns the order as the service takes it: by the chosen field, then the newest first, then by
 * identifier, so that no two rows are equal.
 */
export function orderText({ field, direction }: SortOrder): string {
  const orders = { [TIME_FIELD]: 'desc', [ID_FIELD]: 'asc', [field]: direction };
  return orderFields({ field, direction })
    .map((name) => `${name} ${orders[name]}`)
    .join(',');
}

/**
 * Returns the filter that leaves the rows behind one, by the order of `orderText`. Undefined where the
 * order cannot tell: for a list of values, an empty value or a very long one.
 */
export function filterBehind(row: unknown, { field, direction }: SortOrder): string | undefined {
  const id = valueAt(row, ID_FIELD);
  if (typeof id !== 'string') return undefined;
  const byId = `${ID_FIELD}:{${quotedBound(id)} TO *]`;
  if (field === ID_FIELD) return direction === 'asc' ? byId : `${ID_FIELD}:[* TO ${quotedBound(id)}}`;
  const created = boundOf(row, TIME_FIELD);
  if (created === 'unknown') return undefined;
  if (field === TIME_FIELD) return behind(field, direction, created, byId);
  const value = boundOf(row, field);
  if (value === 'unknown') return undefined;
  return behind(field, direction, value, behind(TIME_FIELD, 'desc', created, byId));
}

/** Records without a value come last in either direction. */
function behind(name: string, direction: 'asc' | 'desc', value: string | undefined, others: string): string {
  const field = escapedTerm(name);
  const missing = `(NOT _exists_:${field})`;
  if (value === undefined) return `(${missing} AND ${others})`;
  const farther = direction === 'asc' ? `${field}:{${value} TO *]` : `${field}:[* TO ${value}}`;
  return `(${farther} OR ${missing} OR (${field}:[${value} TO ${value}] AND ${others}))`;
}

/** Returns a value as the bound of a range; undefined where the record has none. */
function boundOf(row: unknown, field: string): string | undefined | 'unknown' {
  if (isInList(row, field)) return 'unknown';
  const value = valueAt(row, field);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'string' || value === '' || value.length > MAX_VALUE_LENGTH) return 'unknown';
  return quotedBound(value);
}

/** Returns whether a field, or an object above it, is a list: its order is that of one of many values. */
function isInList(row: unknown, field: string): boolean {
  let found: unknown = row;
  for (const name of field.split('.')) {
    found = memberOf(found, name);
    if (Array.isArray(found)) return true;
  }
  return false;
}
