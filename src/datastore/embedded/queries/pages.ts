import type { SortClause } from '../../port/search.ts';
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
  const [row] = await context.rows(`SELECT count(*) FROM ${statement.rows(condition)}`, statement.values);
  return Number(row?.[0] ?? 0);
}

/** One page in order, and how many documents there are. One statement, so that both see the same state without a transaction. */
export async function page(
  context: QueryContext,
  { sort, offset, rows, sortKeys = false }: PageSpec,
): Promise<{ readonly rows: readonly FoundRow[]; readonly total: number }> {
  const statement = context.statement();
  const sorts = sortExpressions(statement, sort);
  if (rows === 0) return { rows: [], total: await count(context) };
  const condition = context.matching(statement);
  const matching = statement.rows(condition);
  const keys = sortKeys ? sorts.map(({ expression }, at) => `${expression} AS key${at}`) : [];
  const found = [`${statement.index} AS n`, 'k', 's', ...keys].join(', ');
  const nothing = ['NULL', 'NULL', 'NULL', ...keys.map(() => 'NULL')].join(', ');
  const sql = `SELECT count(*), ${nothing} FROM ${matching} UNION ALL
    (SELECT NULL, ${found} FROM ${matching} ORDER BY ${orderBy(sorts)} LIMIT ${rows} OFFSET ${offset})`;
  let total = 0;
  const page: FoundRow[] = [];
  for (const [counted, index, key, seq, ...keysOfRow] of await context.rows(sql, statement.values)) {
    if (counted !== null) total = Number(counted);
    else {
      const row = { index: Number(index), key: Number(key), seq: Number(seq) };
      page.push(sortKeys ? { ...row, sortKeys: keysOfRow } : row);
    }
  }
  return { rows: page, total };
}

/** Every document found, in order, in little memory: a cursor may stand on millions. */
export async function everything(context: QueryContext, sort: readonly SortClause[]): Promise<FoundRows> {
  // Also when it is given up half-way, nothing of it is left open.
  await context.oneState();
  const statement = context.statement();
  const sorts = sortExpressions(statement, sort);
  const condition = context.matching(statement);
  const sql = `SELECT ${statement.index}, k, s FROM ${statement.rows(condition)} ORDER BY ${orderBy(sorts)}`;
  const rows = new FoundRows();
  await context.eachChunk(sql, statement.values, (columns) => rows.append(columns));
  return rows;
}
