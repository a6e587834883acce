import { escapedTerm } from '../../../../../src/datastore/query-language/written-values.ts';
import { alerts, dataOf, READ_HEADERS } from '../../../api/clients.ts';

const ROWS = 20;

export interface FoundUser {
  readonly username: string;
  readonly name: string;
}

/** Returns users whose name, user name or e-mail address has the typed words; at most 20. */
export async function searchUsers(typed: string, signal: AbortSignal): Promise<readonly FoundUser[]> {
  const items = await search('user', wordsQuery(typed, ['uname', 'name', 'email']), 'name asc', signal);
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
  const items = await search('case', wordsQuery(typed, ['title', 'case_id']), 'updated desc', signal);
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
  const items = await search('action', '*:*', 'name asc', signal, MAX_ACTIONS);
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
  const request = alerts.POST('/api/v1/search/facet/{index}', {
    params: { path: { index: 'hit' } },
    body: { fields: [field], query: '*:*', rows: 100 },
    headers: READ_HEADERS,
    signal,
  });
  const facets = (await dataOf(request)) as Readonly<Record<string, Readonly<Record<string, number>>>>;
  const counts = Object.entries(facets[field] ?? {});
  return counts.toSorted(([, left], [, right]) => right - left).map(([label]) => label);
}

type Item = Readonly<Record<string, unknown>>;

async function search(
  index: string,
  query: string,
  sort: string,
  signal: AbortSignal,
  rows = ROWS,
): Promise<readonly Item[]> {
  const options = { params: { path: { index } }, body: { query, sort, rows }, headers: READ_HEADERS, signal };
  return (await dataOf(alerts.POST('/api/v1/search/{index}', options))).items;
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
