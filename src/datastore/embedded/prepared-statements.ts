import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** Statements kept for each connection. People ask the same few questions again and again, with other values. */
const MOST_KEPT = 64;
/** Longer texts hold lists of values and do not come again. */
const LONGEST_KEPT = 4000;

const KEPT = new WeakMap<DuckDBConnection, Map<string, DuckDBPreparedStatement>>();

/**
 * Runs `work` with a statement of that text. The database plans a text once and binds it anew by itself when tables have changed.
 * One caller at a time for each connection.
 */
export async function withPrepared<R>(
  connection: DuckDBConnection,
  sql: string,
  work: (statement: DuckDBPreparedStatement) => Promise<R>,
): Promise<R> {
  const kept = KEPT.get(connection) ?? new Map<string, DuckDBPreparedStatement>();
  KEPT.set(connection, kept);
  const statement = kept.get(sql) ?? (await connection.prepare(sql));
  kept.delete(sql);
  try {
    const result = await work(statement);
    // The last used is the last to go.
    if (sql.length <= LONGEST_KEPT) kept.set(sql, statement);
    return result;
  } finally {
    if (!kept.has(sql)) statement.destroySync();
    for (const [oldest, unused] of kept) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
      unused.destroySync();
    }
  }
}

/** Gives up the statements of a connection that is closed. */
export function forgetPrepared(connection: DuckDBConnection): void {
  for (const statement of KEPT.get(connection)?.values() ?? []) statement.destroySync();
  KEPT.delete(connection);
}
