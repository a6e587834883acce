import { facetsOf, searchKind } from '../../../../api/alert-searches.ts';
import { byCount } from '../../../../api/value-counts.ts';
import { wordsQuery } from '../../../query/model/record-queries.ts';

const ROWS = 20;

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
