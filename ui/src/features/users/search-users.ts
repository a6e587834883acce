import { searchKind } from '../../api/alert-searches.ts';
import { wordsQuery } from '../query/model/record-queries.ts';

const ROWS = 20;

export interface FoundUser {
  readonly username: string;
  readonly name: string;
}

/** Returns the query of users whose name, user name or e-mail address has the typed words. */
export function usersQuery(typed: string): string {
  return wordsQuery(typed, ['uname', 'name', 'email']);
}

/** Returns users whose name, user name or e-mail address has the typed words; at most 20. */
export async function searchUsers(typed: string, signal: AbortSignal): Promise<readonly FoundUser[]> {
  const items = await searchKind('user', { query: usersQuery(typed), sort: 'name asc', rows: ROWS }, signal);
  return items.map(({ uname, username, name }) => {
    const id = String(uname ?? username ?? name);
    return { username: id, name: String(name ?? id) };
  });
}
