import { escapedTerm } from '../../../../../src/datastore/query-language/written-values.ts';
import { facetsOf, searchKind } from '../../../api/alert-searches.ts';
import { byCount } from '../../../api/value-counts.ts';

const ROWS = 20;

export interface FoundUser {
  readonly username: string;
  readonly name: string;
}

/** Returns users whose name, user name or e-mail address has the typed words; at most 20. */
export async function searchUsers(typed: string, signal: AbortSignal): Promise<readonly FoundUser[]> {
  const query = wordsQuery(typed, ['uname', 'name', 'email']);
  const items = await searchKind('user', { query, sort: 'name asc', rows: ROWS }, signal);
  return items.map(({ uname, username, name }) => {
    const id = String(uname ?? username ?? name);
    return { username: id, name: String(name ?? id) };
  });
}

export interface FoundCase {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

/** Returns cases whose title has the typed words, those that changed last first; at most 20. */
export async function searchCases(typed: string, signal: AbortSignal): Promise<readonly FoundCase[]> {
  const query = wordsQuery(typed, ['title', 'case_id']);
  const items = await searchKind('case', { query, sort: 'updated desc', rows: ROWS }, signal);
  return items.map(({ case_id, title, status }) => ({
    id: String(case_id),
    title: String(title),
    status: String(status),
  }));
}

export interface FoundAction {
  readonly id: string;
  readonly name: string;
  readonly query: string;
}

/** Returns the saved actions, by name. */
export async function searchActions(signal: AbortSignal): Promise<readonly FoundAction[]> {
  const items = await searchKind('action', { query: '*:*', sort: 'name asc', rows: MAX_ACTIONS }, signal);
  return items.map(({ action_id, name, query }) => ({
    id: String(action_id),
    name: String(name),
    query: String(query),
  }));
}

const MAX_ACTIONS = 50;

/** Returns labels that alerts have in a set, the frequent ones first. */
export async function searchLabels(set: string, signal: AbortSignal): Promise<readonly string[]> {
  const field = `howler.labels.${set}`;
  const facets = await facetsOf({ fields: [field], query: '*:*', rows: 100 }, { signal });
  return byCount(facets[field]).map(({ value }) => value);
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
