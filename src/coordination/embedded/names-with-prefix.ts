import type { CoordinationStatement } from './coordination-database.ts';

/** Returns the distinct names that start so, with one index look-up each. */
export function namesWithPrefix(
  prefix: string,
  first: CoordinationStatement,
  after: CoordinationStatement,
): readonly string[] {
  const names: string[] = [];
  for (let row = first.get(prefix); typeof row?.name === 'string'; row = after.get(row.name)) {
    if (!row.name.startsWith(prefix)) break;
    names.push(row.name);
  }
  return names;
}
