import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { withValues } from './bound-values.ts';

export const COLUMN_FILE = 'columns.duckdb';

export type SqlValue = DuckDBValue;
export type SqlRow = readonly SqlValue[];

/**
 * Settings of the database.
 * Late materialisation doubles the time of a small page. The search for repeated parts takes a tenth of a statement.
 * Reading strings that FSST has compressed takes a fifth of a comparison with many values; without it the file is half
 * as large again (95 MB instead of 63 MB per 100,000 alerts, beside 280 MB of documents).
 */
const SETTINGS = {
  threads: '2',
  memory_limit: '320MB',
  preserve_insertion_order: 'true',
  late_materialization_max_rows: '0',
  disabled_optimizers: 'common_subplan',
  disabled_compression_methods: 'fsst',
};
const MEMORY_SETTINGS = { ...SETTINGS, threads: '1' };
const ROW_GROUP_SIZE = 61_440;
const IDLE_CONNECTIONS = 4;

/** One DuckDB database and its connections. The file is attached: only ATTACH takes a row group size. */
export class ColumnDatabase {
  readonly #instance: DuckDBInstance;
  readonly #idle: DuckDBConnection[] = [];
  readonly #file: string | undefined;
  /** True when new connections have to select the file; the one that attached it has done so. */
  #attached = false;
  #isClosed = false;

  private constructor(instance: DuckDBInstance, file: string | undefined) {
    this.#instance = instance;
    this.#file = file;
  }

  static async open(folder: string): Promise<ColumnDatabase> {
    const file = folder === 'memory' ? undefined : join(folder, COLUMN_FILE);
    // What exceeds the memory is written there; DuckDB would take the current folder. A killed process leaves it behind.
    const spill = file === undefined ? join(tmpdir(), `triad-columns-${process.pid}`) : `${file}.tmp`;
    rmSync(spill, { recursive: true, force: true });
    const settings = file === undefined ? MEMORY_SETTINGS : SETTINGS;
    const instance = await DuckDBInstance.create(':memory:', { ...settings, temp_directory: spill });
    const database = new ColumnDatabase(instance, file);
    try {
      if (file !== undefined) {
        await database.run(`ATTACH ${quoteText(file)} AS store (ROW_GROUP_SIZE ${ROW_GROUP_SIZE}); USE store`);
        database.#attached = true;
      }
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async rows(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return this.withConnection((connection) => rowsOf(connection, sql, values));
  }

  async run(sql: string): Promise<void> {
    await this.withConnection((connection) => connection.run(sql));
  }

  async withConnection<R>(work: (connection: DuckDBConnection) => Promise<R>): Promise<R> {
    const connection = this.#idle.pop() ?? (await this.#connect());
    try {
      return await work(connection);
    } finally {
      if (this.#idle.length < IDLE_CONNECTIONS) this.#idle.push(connection);
      else connection.closeSync();
    }
  }

  async checkpoint(): Promise<void> {
    if (this.#file !== undefined) await this.run('FORCE CHECKPOINT store');
  }

  /** Closes the file explicitly: objects of the client keep the database alive until they are collected. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const connections = this.#idle.splice(0);
    if (this.#attached) {
      const connection = connections[0] ?? (await this.#instance.connect());
      // A database after a fatal error refuses this too; it no longer writes.
      await connection.run('USE memory; DETACH store').catch(() => undefined);
    }
    for (const connection of connections) connection.closeSync();
    this.#instance.closeSync();
  }

  async #connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    if (this.#attached) await connection.run('USE store');
    return connection;
  }
}

export async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
  values: readonly SqlValue[] = [],
  signal?: AbortSignal,
): Promise<readonly SqlRow[]> {
  return interruptible(connection, signal, async () => {
    // Planned each time: a kept plan uses old statistics, and finds too much once a column has its first gap.
    const result = await connection.run(...withValues(sql, values));
    const rows: SqlRow[] = [];
    // The result is complete. Fetching it chunk by chunk would wait for another thread each time.
    for (let at = 0; at < result.chunkCount; at += 1) rows.push(...result.getChunk(at).getRows());
    return rows;
  });
}

export type TakeColumns = (columns: readonly (readonly SqlValue[])[]) => void | Promise<void>;

/** Passes on the columns of each chunk of a result, which is never held as a whole. */
export async function chunksOf(
  connection: DuckDBConnection,
  sql: string,
  values: readonly SqlValue[],
  signal: AbortSignal | undefined,
  take: TakeColumns,
): Promise<void> {
  await interruptible(connection, signal, async () => {
    const result = await connection.stream(...withValues(sql, values));
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      await take(chunk.getColumns());
      signal?.throwIfAborted();
    }
  });
}

async function interruptible<R>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<R>,
): Promise<R> {
  signal?.throwIfAborted();
  const interrupt = () => connection.interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    return await work();
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

export async function inTransaction<R>(connection: DuckDBConnection, work: () => Promise<R>): Promise<R> {
  await connection.run('BEGIN');
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Removes the column file; it is rebuilt from the documents. */
export function removeColumnFile(folder: string): void {
  if (folder === 'memory') return;
  for (const suffix of ['', '.wal', '.tmp'])
    rmSync(join(folder, COLUMN_FILE + suffix), { recursive: true, force: true });
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
