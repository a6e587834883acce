import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, Unavailable } from '../../errors/errors.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tokens (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires REAL NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tokens_by_expiry ON tokens (expires);
  CREATE TABLE IF NOT EXISTS counters (key TEXT PRIMARY KEY, count REAL NOT NULL, expires REAL NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS queue_items (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    priority REAL NOT NULL,
    item TEXT NOT NULL,
    taken_until REAL NOT NULL DEFAULT 0,
    receipt TEXT,
    id TEXT,
    pushed REAL NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS queue_items_in_order ON queue_items (queue, taken_until, priority DESC, sequence);
  CREATE TABLE IF NOT EXISTS table_entries (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name, key)
  );
`;
/** Columns that files of earlier releases lack, and what needs them. */
const LATER_COLUMNS = `
  ALTER TABLE queue_items ADD COLUMN id TEXT;
  ALTER TABLE queue_items ADD COLUMN pushed REAL NOT NULL DEFAULT 0;
`;
const LATER_INDICES =
  'CREATE UNIQUE INDEX IF NOT EXISTS queue_items_by_id ON queue_items (queue, id) WHERE id IS NOT NULL';

/** SQLite's primary result code for a file that another process has locked. */
const SQLITE_BUSY = 5;

/**
 * The SQLite file `coordination.db`, or a database in memory; a second process is refused.
 * Commits survive the death of the program; a power failure can lose those since the last checkpoint.
 */
export class CoordinationDatabase {
  readonly #database: DatabaseSync;
  #closed = false;
  #failure: string | undefined;

  /** @throws Unavailable `data_folder_in_use`, `coordination_unavailable` */
  constructor(folder: string) {
    try {
      if (folder !== 'memory') mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#database = new DatabaseSync(folder === 'memory' ? ':memory:' : join(folder, 'coordination.db'));
      this.#database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      this.#database.exec(SCHEMA);
      const columns = this.#database.prepare('SELECT name FROM pragma_table_info(?)').all('queue_items');
      if (!columns.some(({ name }) => name === 'id')) this.#database.exec(LATER_COLUMNS);
      this.#database.exec(LATER_INDICES);
    } catch (error) {
      if (resultCode(error) === SQLITE_BUSY) {
        const message = `The data folder ${folder} is in use by another process. Stop that one, or choose another folder.`;
        throw new Unavailable('data_folder_in_use', message, { cause: error });
      }
      const message = `The coordination database in ${folder} cannot be opened: ${messageOf(error)}. Check that the folder is writable.`;
      throw new Unavailable('coordination_unavailable', message, { cause: error });
    }
  }

  /** Message of the last failed call, until a later one succeeds. */
  get failure(): string | undefined {
    return this.#closed ? 'The coordination database is closed.' : this.#failure;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Prepares a statement whose failures are Unavailable `coordination_unavailable`. */
  prepare(sql: string): CoordinationStatement {
    const statement = this.#database.prepare(sql);
    return {
      run: (...values) => this.#guard(() => Number(statement.run(...values).changes)),
      get: (...values) => this.#guard(() => statement.get(...values)),
      all: (...values) => this.#guard(() => statement.all(...values)),
    };
  }

  /** All of `work` is stored or nothing is. `work` is synchronous, therefore nothing comes between. */
  transaction<T>(work: () => T): T {
    this.#guard(() => this.#database.exec('BEGIN IMMEDIATE'));
    try {
      const result = work();
      this.#guard(() => this.#database.exec('COMMIT'));
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** For what lives in memory alone: it ends with the database all the same. */
  assertOpen(): void {
    if (!this.#closed) return;
    throw new Unavailable('coordination_unavailable', 'The coordination database is closed: the program is stopping.');
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#database.close();
  }

  #guard<T>(call: () => T): T {
    this.assertOpen();
    try {
      const result = call();
      this.#failure = undefined;
      return result;
    } catch (error) {
      this.#failure = `The coordination database cannot be used: ${messageOf(error)}. Check free space and permissions.`;
      throw new Unavailable('coordination_unavailable', this.#failure, { cause: error });
    }
  }
}

type Row = Record<string, string | number | bigint | null | Uint8Array>;
type Value = string | number | null;

export interface CoordinationStatement {
  /** Number of rows changed. */
  run(...values: Value[]): number;
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
}

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}
