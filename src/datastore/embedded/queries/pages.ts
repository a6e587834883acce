import type { CheckedPage, CheckedSort } from '../../port/datastore-adapter.ts';
import type { SqlRow, SqlValue } from '../columns/column-database.ts';
import type { QueryContext } from './query-context.ts';
import { scoreExpression, weighClauses } from './relevance.ts';
import { orderBy, sortExpressions } from './sort-clauses.ts';
import { NOTHING } from './sql-compiler.ts';
import type { Statement } from './sql-statement.ts';

export interface PageSpec extends Pick<CheckedPage, 'sort' | 'offset' | 'rows' | 'sortKeys'> {
  /** True if identifiers are enough, which the columns hold: 10,000 documents take 0.3 s to read. */
  readonly idsOnly: boolean;
}

export async function count(context: QueryContext): Promise<number> {
  const statement = context.statement();
  const condition = context.matching(statement);
  const [row] = await context.rows(`SELECT count(*) FROM ${statement.rows(condition)}`, statement.values);
  return Number(row?.[0] ?? 0);
}

/** Returns a page and the total. One statement finds both in the same state without a transaction. */
export async function page(
  context: QueryContext,
  spec: PageSpec,
): Promise<{ readonly rows: readonly FoundRow[]; readonly total: number }> {
  const { sort, offset, rows, sortKeys, idsOnly } = spec;
  if (sort[0]?.kind === 'score') return pageByRelevance(context, spec);
  const statement = context.statement();
  if (rows === 0) return { rows: [], total: await count(context) };
  const condition = context.matching(statement);
  if (statement.readsLists) return pageOfOneScan(context, spec, statement, condition);
  const sorts = sortExpressions(statement, sort);
  const matching = statement.rows(condition);
  const keys = sortKeys ? sorts.map(({ expression }, at) => `${expression} AS key${at}`) : [];
  const found = [`${statement.index} AS n`, 'k', 's', idsOnly ? 'id' : 'NULL', ...keys].join(', ');
  const nothing = ['NULL', 'NULL', 'NULL', 'NULL', ...keys.map(() => 'NULL')].join(', ');
  const sql = `SELECT count(*), ${nothing} FROM ${matching} UNION ALL
    (SELECT NULL, ${found} FROM ${matching} ORDER BY ${orderBy(sorts)} LIMIT ${rows} OFFSET ${offset})`;
  return readPage(await context.rows(sql, statement.values), sortKeys);
}

/**
 * Finds page and total by one scan, which keeps what it finds.
 * Lists and texts take most of the time of a search: over a million results a search for a tag takes 15 instead of
 * 37 ms. Numbers and strings are scanned twice in less time.
 */
async function pageOfOneScan(
  context: QueryContext,
  { sort, offset, rows, sortKeys, idsOnly }: PageSpec,
  statement: Statement,
  condition: string,
) {
  const sorts = sortExpressions(statement, sort);
  const names = sorts.map((_, at) => `key${at}`);
  const keys = sorts.map(({ expression }, at) => `${expression} AS key${at}`);
  const columns = [`${statement.index} AS n`, 'k', 's', idsOnly ? 'id' : 'NULL AS id', ...keys].join(', ');
  const order = orderBy(sorts.map((each, at) => ({ ...each, expression: `key${at}` })));
  const shown = ['n', 'k', 's', 'id', ...(sortKeys ? names : [])];
  const sql = `WITH found AS MATERIALIZED (SELECT ${columns} FROM ${statement.rows(condition)})
    SELECT count(*), ${shown.map(() => 'NULL').join(', ')} FROM found UNION ALL
    (SELECT NULL, ${shown.join(', ')} FROM found ORDER BY ${order} LIMIT ${rows} OFFSET ${offset})`;
  return readPage(await context.rows(sql, statement.values), sortKeys);
}

/** Finds a page by relevance. Total and page share one read, because conditions may be on all columns. */
async function pageByRelevance(context: QueryContext, { offset, rows, idsOnly }: PageSpec) {
  if (rows === 0) return { rows: [], total: await count(context) };
  const weights = await weighClauses(context);
  const statement = context.statement();
  const score = scoreExpression(context, weights, statement);
  const condition = context.matching(statement);
  if (condition === NOTHING) return { rows: [], total: 0 };
  const id = idsOnly ? 'id' : 'NULL AS id';
  const found = `SELECT ${statement.index} AS n, k, s, ${id}, CAST(${score} AS FLOAT) AS score FROM ${statement.rows(condition)}`;
  const sql = `WITH found AS MATERIALIZED (${found})
    SELECT count(*), NULL, NULL, NULL, NULL, NULL FROM found UNION ALL
    (SELECT NULL, n, k, s, id, score FROM found ORDER BY score DESC, n, k LIMIT ${rows} OFFSET ${offset})`;
  return readPage(await context.rows(sql, statement.values), true);
}

/** Reads the total, and rows of index, key, sequence number, identifier and sort keys. */
function readPage(found: readonly SqlRow[], sortKeys: boolean) {
  let total = 0;
  const rows: FoundRow[] = [];
  for (const [counted, index, key, seq, id, ...keysOfRow] of found) {
    if (counted !== null) total = Number(counted);
    else {
      const row = {
        index: Number(index),
        key: Number(key),
        seq: Number(seq),
        ...(typeof id !== 'string' ? {} : { id }),
      };
      rows.push(sortKeys ? { ...row, sortKeys: keysOfRow } : row);
    }
  }
  return { rows, total };
}

/** Returns every document found, in order, in little memory: a cursor may hold millions. */
export async function everything(context: QueryContext, sort: readonly CheckedSort[]): Promise<FoundRows> {
  // Ends the stream also when the search is cancelled.
  await context.oneState();
  const statement = context.statement();
  const sorts = sortExpressions(statement, sort);
  const condition = context.matching(statement);
  const sql = `SELECT ${statement.index}, k, s FROM ${statement.rows(condition)} ORDER BY ${orderBy(sorts)}`;
  const rows = new FoundRows();
  await context.eachChunk(sql, statement.values, (columns) => rows.append(columns));
  return rows;
}

export interface FoundRow {
  readonly index: number;
  readonly key: number;
  readonly seq: number;
  /** When requested, as `sortKeys`. */
  readonly id?: string;
  /** The values that it was sorted by, one for each clause, when requested. */
  readonly sortKeys?: readonly SqlValue[];
}

/** Stores the places of many documents as plain numbers. */
export class FoundRows {
  readonly #chunks: { readonly first: number; readonly numbers: Float64Array }[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Takes columns of index, key and sequence number. */
  append([indices = [], keys = [], sequences = []]: readonly (readonly SqlValue[])[]): void {
    const numbers = new Float64Array(keys.length * 3);
    for (let at = 0; at < keys.length; at += 1) {
      numbers[3 * at] = Number(indices[at]);
      numbers[3 * at + 1] = Number(keys[at]);
      numbers[3 * at + 2] = Number(sequences[at]);
    }
    this.#chunks.push({ first: this.#length, numbers });
    this.#length += keys.length;
  }

  slice(from: number, to: number): readonly FoundRow[] {
    const rows: FoundRow[] = [];
    for (const { first, numbers } of this.#chunks) {
      const end = Math.min(to - first, numbers.length / 3);
      for (let at = Math.max(from - first, 0); at < end; at += 1) {
        const [index = 0, key = 0, seq = 0] = numbers.subarray(3 * at, 3 * at + 3);
        rows.push({ index, key, seq });
      }
    }
    return rows;
  }
}
