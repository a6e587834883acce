import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type DuckDBAppender, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type BenchAlert, benchAlert } from './alert-documents.ts';
import { type Latency, measureLatency } from './http-load.ts';

/**
 * The engine without the program: the same documents as text in SQLite (WAL, a transaction per 100)
 * and the same filled fields as
 * columns in DuckDB, written and asked directly. What the program reaches is given as a share of this.
 */
export interface RawEngine {
  /** Alerts per second, documents and columns. */
  readonly loadRate: number;
  readonly search: Latency;
  readonly facet: Latency;
  readonly histogram: Latency;
  readonly get: Latency;
  close(): void;
}

const TRANSACTION = 100;
const APPEND = 1000;
const QUERIES = 60;

export async function measureRawEngine(
  folder: string,
  alerts: number,
  now: number,
  progress: (done: number) => void,
): Promise<RawEngine> {
  const documents = new DatabaseSync(join(folder, 'raw.sqlite'));
  documents.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE hit(id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID',
  );
  const insert = documents.prepare('INSERT INTO hit VALUES (?, ?)');
  const instance = await DuckDBInstance.create(join(folder, 'raw.duckdb'), { threads: '2', memory_limit: '1GB' });
  const columns = await instance.connect();
  const shape = columnsOf(benchAlert(0, now));
  await columns.run(`CREATE TABLE hit(id VARCHAR, ${shape.map(({ name, type }) => `"${name}" ${type}`).join(', ')})`);

  let spent = 0;
  let pending: { id: string; alert: BenchAlert }[] = [];
  for (let from = 0; from < alerts; from += TRANSACTION) {
    const batch = Array.from({ length: Math.min(TRANSACTION, alerts - from) }, (_, i) => {
      const alert = benchAlert(from + i, now);
      return { id: `raw${from + i}`, alert, body: JSON.stringify(alert) };
    });
    const started = performance.now();
    documents.exec('BEGIN');
    for (const { id, body } of batch) insert.run(id, body);
    documents.exec('COMMIT');
    pending.push(...batch);
    if (pending.length >= APPEND || from + TRANSACTION >= alerts) {
      await append(columns, shape, pending);
      pending = [];
    }
    spent += performance.now() - started;
    if (from % 10_000 === 0) progress(from);
  }
  await columns.run('CHECKPOINT');

  const open = `"howler.status" = 'open' AND "source.port" >= 30000`;
  const read = documents.prepare('SELECT body FROM hit WHERE id = ?');
  const search = await measureLatency(1, QUERIES, async () => {
    await columns.runAndReadAll(`SELECT count(*) FROM hit WHERE ${open}`);
    const rows = await columns.runAndReadAll(`SELECT id FROM hit WHERE ${open} ORDER BY "event.created" DESC LIMIT 25`);
    for (const [id] of rows.getRows()) JSON.parse(String(read.get(String(id))?.body));
  });
  const facet = await measureLatency(1, QUERIES, async () => {
    for (const field of ['howler.analytic', 'host.name']) {
      await columns.runAndReadAll(
        `SELECT "${field}", count(*) AS n FROM hit WHERE ${open} GROUP BY 1 ORDER BY n DESC LIMIT 10`,
      );
    }
  });
  const histogram = await measureLatency(1, QUERIES, () =>
    columns.runAndReadAll(`SELECT "event.created" // 86400000 AS day, count(*) FROM hit GROUP BY 1 ORDER BY 1`),
  );
  const get = await measureLatency(1, 2000, async (n) =>
    JSON.parse(String(read.get(`raw${(n * 7919) % alerts}`)?.body)),
  );
  return {
    loadRate: (alerts / spent) * 1000,
    search,
    facet,
    histogram,
    get,
    close() {
      documents.close();
      columns.closeSync();
      instance.closeSync();
    },
  };
}

interface Column {
  readonly name: string;
  readonly type: 'VARCHAR' | 'BIGINT' | 'VARCHAR[]';
  readonly date: boolean;
}

function columnsOf(value: unknown, path = ''): Column[] {
  if (Array.isArray(value)) return [{ name: path, type: 'VARCHAR[]', date: false }];
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, child]) => columnsOf(child, path === '' ? key : `${path}.${key}`));
  }
  const date = path === 'event.created' || path === 'event.start';
  return [{ name: path, type: typeof value === 'number' || date ? 'BIGINT' : 'VARCHAR', date }];
}

function valueAt(alert: BenchAlert, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], alert);
}

async function append(
  connection: DuckDBConnection,
  shape: readonly Column[],
  rows: readonly { id: string; alert: BenchAlert }[],
): Promise<void> {
  const appender: DuckDBAppender = await connection.createAppender('hit');
  const { DuckDBDataChunk, DuckDBListValue, LIST, VARCHAR, BIGINT } = await import('@duckdb/node-api');
  const chunk = DuckDBDataChunk.create([
    VARCHAR,
    ...shape.map(({ type }) => (type === 'VARCHAR' ? VARCHAR : type === 'BIGINT' ? BIGINT : LIST(VARCHAR))),
  ]);
  chunk.setColumns([
    rows.map(({ id }) => id),
    ...shape.map((column) =>
      rows.map(({ alert }) => {
        const value = valueAt(alert, column.name);
        if (column.type === 'VARCHAR[]') return new DuckDBListValue(value as string[]);
        if (column.date) return BigInt(Date.parse(String(value)));
        return column.type === 'BIGINT' ? BigInt(value as number) : (value as string);
      }),
    ),
  ]);
  appender.appendDataChunk(chunk);
  appender.flushSync();
  appender.closeSync();
}
