import {
  BIGINT,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import { ColumnDatabase, removeColumnFile } from './column-database.ts';
import { type ColumnKind, type ColumnType, duckdbType, sqlType } from './column-types.ts';
import type { ColumnRow } from './column-values.ts';
import type { ReadWriteLock } from './read-write-lock.ts';

/** Raised when the stored form of columns changes: older files are made anew. */
const FORMAT = 1;
const CHUNK_ROWS = 2048;

export interface Column extends ColumnType {
  readonly name: string;
  readonly path: string;
}

/** The columns of one index. */
export interface ColumnTable {
  readonly index: number;
  readonly fingerprint: string;
  readonly columns: Map<string, Column>;
  /** Documents up to this key were scanned; `complete`: all that were there when the table was begun. */
  scanned: number;
  complete: boolean;
  highestKey: number;
}

/** How far the columns follow which history of the documents. */
export interface ColumnPosition {
  readonly opening: string;
  readonly seq: number;
}

export interface TableChange {
  /** Rows to remove first, by key; or all above `after` up to `upTo`. */
  readonly removed: readonly number[] | { readonly after: number; readonly upTo: number };
  readonly rows: readonly ColumnDocument[];
  /** New state of the scan, when this change is part of one. */
  readonly scan?: { readonly scanned: number; readonly complete: boolean };
}

export interface ColumnDocument {
  readonly key: number;
  readonly seq: number;
  readonly id: string;
  readonly values: ColumnRow;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS position (format INTEGER, opening VARCHAR, seq BIGINT);
  CREATE TABLE IF NOT EXISTS tables (index_number INTEGER, fingerprint VARCHAR, scanned BIGINT, complete BOOLEAN);
  CREATE TABLE IF NOT EXISTS columns (index_number INTEGER, path VARCHAR, name VARCHAR, kind VARCHAR, list BOOLEAN);
`;

/** The tables of the column database and how far each is. One caller at a time may change it; reads may go on meanwhile. */
export class ColumnStore {
  readonly database: ColumnDatabase;
  readonly tables = new Map<number, ColumnTable>();
  readonly #lock: ReadWriteLock;
  #position: ColumnPosition | undefined;

  private constructor(database: ColumnDatabase, lock: ReadWriteLock) {
    this.database = database;
    this.#lock = lock;
  }

  /** Opens the file as it is. @throws when it is damaged or of another format */
  static async open(folder: string, lock: ReadWriteLock): Promise<ColumnStore> {
    const store = new ColumnStore(await ColumnDatabase.open(folder), lock);
    try {
      await store.#load();
      return store;
    } catch (error) {
      store.database.close();
      throw error;
    }
  }

  /** Opens an empty store in the place of what is there. */
  static async create(folder: string, lock: ReadWriteLock): Promise<ColumnStore> {
    removeColumnFile(folder);
    return ColumnStore.open(folder, lock);
  }

  /** Undefined: nothing was ever applied. */
  get position(): ColumnPosition | undefined {
    return this.#position;
  }

  async begin(position: ColumnPosition): Promise<void> {
    await this.database.withConnection(async (connection) => {
      await connection.run('DELETE FROM position');
      await connection.run('INSERT INTO position VALUES ($1, $2, $3)', [
        FORMAT,
        position.opening,
        BigInt(position.seq),
      ]);
    });
    this.#position = position;
  }

  async createTable(index: number, fingerprint: string): Promise<ColumnTable> {
    await this.database.withConnection((connection) =>
      inTransaction(connection, async () => {
        await connection.run(`CREATE TABLE ${tableName(index)} (k BIGINT, s BIGINT, id VARCHAR)`);
        await connection.run('INSERT INTO tables VALUES ($1, $2, 0, false)', [index, fingerprint]);
      }),
    );
    const table = { index, fingerprint, columns: new Map(), scanned: 0, complete: false, highestKey: 0 };
    this.tables.set(index, table);
    return table;
  }

  async dropTable(index: number): Promise<void> {
    this.tables.delete(index);
    await this.#alone((connection) =>
      inTransaction(connection, async () => {
        await connection.run(`DROP TABLE IF EXISTS ${tableName(index)}`);
        await connection.run(`DELETE FROM tables WHERE index_number = ${index}`);
        await connection.run(`DELETE FROM columns WHERE index_number = ${index}`);
      }),
    );
  }

  /** Applies the changes as one transaction and moves the position. */
  async apply(changes: ReadonlyMap<ColumnTable, TableChange>, position: ColumnPosition): Promise<void> {
    await this.database.withConnection(async (connection) => {
      for (const [table, change] of changes) await this.#addColumns(connection, table, change.rows);
      await inTransaction(connection, async () => {
        for (const [table, change] of changes) {
          await removeRows(connection, table, change.removed);
          await appendRows(connection, table, change.rows);
          if (change.scan) {
            const { scanned, complete } = change.scan;
            await connection.run(
              `UPDATE tables SET scanned = ${scanned}, complete = ${complete} WHERE index_number = ${table.index}`,
            );
          }
        }
        await connection.run('UPDATE position SET opening = $1, seq = $2', [position.opening, BigInt(position.seq)]);
      });
    });
    this.#position = position;
    for (const [table, { rows, scan }] of changes) {
      if (scan) Object.assign(table, scan);
      for (const { key } of rows) table.highestKey = Math.max(table.highestKey, key);
    }
  }

  async #load(): Promise<void> {
    for (const statement of SCHEMA.split(';')) if (statement.trim() !== '') await this.database.run(statement);
    const [position] = await this.database.rows('SELECT format, opening, seq FROM position');
    if (position && Number(position[0]) !== FORMAT)
      throw new Error(`column format ${String(position[0])}, not ${FORMAT}`);
    if (position) this.#position = { opening: String(position[1]), seq: Number(position[2]) };
    for (const row of await this.database.rows('SELECT index_number, fingerprint, scanned, complete FROM tables')) {
      const index = Number(row[0]);
      const [highest] = await this.database.rows(`SELECT max(k) FROM ${tableName(index)}`);
      this.tables.set(index, {
        index,
        fingerprint: String(row[1]),
        scanned: Number(row[2]),
        complete: row[3] === true,
        highestKey: Number(highest?.[0] ?? 0),
        columns: new Map(),
      });
    }
    for (const row of await this.database.rows(
      'SELECT index_number, path, name, kind, list FROM columns ORDER BY rowid',
    )) {
      const column = { path: String(row[1]), name: String(row[2]), kind: row[3] as ColumnKind, list: row[4] === true };
      this.tables.get(Number(row[0]))?.columns.set(column.path, column);
    }
  }

  /** A column comes with its first value, and becomes a list with its first document of several values. */
  async #addColumns(connection: DuckDBConnection, table: ColumnTable, rows: readonly ColumnDocument[]): Promise<void> {
    const wanted = new Map<string, ColumnType>();
    for (const { values } of rows) {
      for (const [path, { kind, declaredList, values: list }] of values) {
        const isList = declaredList || list.length > 1;
        const present = wanted.get(path) ?? table.columns.get(path);
        if (present === undefined || (isList && !present.list)) wanted.set(path, { kind, list: isList });
      }
    }
    for (const [path, type] of wanted) {
      const present = table.columns.get(path);
      const column = { path, ...type, name: present?.name ?? `c${table.columns.size}` };
      if (present) {
        await this.#alone(async (own) => {
          await inTransaction(own, () => becomeList(own, table, column));
          table.columns.set(path, column);
        });
      } else {
        await inTransaction(connection, () => addColumn(connection, table, column));
        table.columns.set(path, column);
      }
    }
  }

  /** While no statement runs that was compiled for the present tables. */
  #alone(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
    return this.#lock.exclusive(() => this.database.withConnection(work));
  }
}

export function tableName(index: number): string {
  return `documents_${index}`;
}

async function addColumn(connection: DuckDBConnection, table: ColumnTable, column: Column): Promise<void> {
  await connection.run(`ALTER TABLE ${tableName(table.index)} ADD COLUMN ${column.name} ${sqlType(column)}`);
  await connection.run('INSERT INTO columns VALUES ($1, $2, $3, $4, $5)', [
    table.index,
    column.path,
    column.name,
    column.kind,
    column.list,
  ]);
}

async function becomeList(connection: DuckDBConnection, table: ColumnTable, { name, ...type }: Column): Promise<void> {
  await connection.run(`ALTER TABLE ${tableName(table.index)} ALTER COLUMN ${name} TYPE ${sqlType(type)}
    USING CASE WHEN ${name} IS NULL THEN NULL ELSE [${name}] END`);
  await connection.run('UPDATE columns SET list = true WHERE index_number = $1 AND name = $2', [table.index, name]);
}

async function removeRows(
  connection: DuckDBConnection,
  table: ColumnTable,
  removed: TableChange['removed'],
): Promise<void> {
  if ('after' in removed) {
    if (table.highestKey <= removed.after) return;
    await connection.run(`DELETE FROM ${tableName(table.index)} WHERE k > ${removed.after} AND k <= ${removed.upTo}`);
  } else if (removed.length > 0) {
    await connection.run(`DELETE FROM ${tableName(table.index)} WHERE k IN (${removed.join(', ')})`);
  }
}

async function appendRows(
  connection: DuckDBConnection,
  table: ColumnTable,
  rows: readonly ColumnDocument[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...table.columns.values()];
  const types: DuckDBType[] = [BIGINT, BIGINT, VARCHAR, ...columns.map(duckdbType)];
  const appender = await connection.createAppender(tableName(table.index));
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const part = rows.slice(start, start + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create(types, part.length);
    chunk.setColumnValues(
      0,
      part.map(({ key }) => BigInt(key)),
    );
    chunk.setColumnValues(
      1,
      part.map(({ seq }) => BigInt(seq)),
    );
    chunk.setColumnValues(
      2,
      part.map(({ id }) => id),
    );
    for (const [at, column] of columns.entries()) chunk.setColumnValues(at + 3, cells(column, part));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

function cells(column: Column, rows: readonly ColumnDocument[]): DuckDBValue[] {
  return rows.map(({ values }) => {
    const cell = values.get(column.path)?.values;
    if (cell === undefined) return null;
    return column.list ? listValue(cell) : (cell[0] ?? null);
  });
}

async function inTransaction<R>(connection: DuckDBConnection, work: () => Promise<R>): Promise<R> {
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
