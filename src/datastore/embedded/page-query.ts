import type { SortClause } from '../search.ts';
import { type FoundRow, FoundRows } from './found-rows.ts';
import type { QueryContext } from './query-context.ts';
import { orderBy, sortExpressions } from './sort-clauses.ts';

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

/** Every document found, in order, in little memory: a cursor may stand on millions. */
export async function everything(context: QueryContext, sort: readonly SortClause[]): Promise<FoundRows> {
  const statement = context.statement();
  const sorts = sortExpressions(statement, sort);
  const condition = context.matching(statement);
  const sql = `SELECT n, k, s FROM ${statement.from(condition)} ORDER BY ${orderBy(sorts)}`;
  const rows = new FoundRows();
  await context.eachChunk(sql, statement.values, (columns) => rows.append(columns));
  return rows;
}
