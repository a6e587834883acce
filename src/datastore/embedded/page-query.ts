import type { SortClause } from '../search.ts';
import type { SqlValue } from './column-database.ts';
import type { QueryContext } from './query-context.ts';
import { orderBy, sortExpressions } from './sort-clauses.ts';

/** A document that was found, as the columns know it. */
export interface FoundRow {
  readonly index: number;
  readonly key: number;
  readonly seq: number;
  /** What it was sorted by, one for each clause, when that was asked for. */
  readonly sortKeys?: readonly SqlValue[];
}

export interface PageSpec {
  readonly sort: readonly SortClause[];
  readonly offset: number;
  readonly rows: number;
  readonly sortKeys?: boolean;
}

export async function count(context: QueryContext): Promise<number> {
  const statement = context.statement();
  const condition = context.matching(statement);
  const [row] = await context.rows(`SELECT count(*) FROM ${statement.from(condition)}`, statement.values);
  return Number(row?.[0] ?? 0);
}

/** One page in order. */
export async function page(
  context: QueryContext,
  { sort, offset, rows, sortKeys = false }: PageSpec,
): Promise<readonly FoundRow[]> {
  const statement = context.statement();
  const sorts = sortExpressions(statement, sort);
  if (rows === 0) return [];
  const condition = context.matching(statement);
  const keys = sortKeys ? sorts.map(({ expression }) => `, ${expression}`).join('') : '';
  const sql = `SELECT n, k, s${keys} FROM ${statement.from(condition)} ORDER BY ${orderBy(sorts)} LIMIT ${rows} OFFSET ${offset}`;
  return (await context.rows(sql, statement.values)).map((row) => ({
    index: Number(row[0]),
    key: Number(row[1]),
    seq: Number(row[2]),
    ...(sortKeys ? { sortKeys: row.slice(3) } : {}),
  }));
}
