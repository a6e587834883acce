import type { DuckDBConnection } from '@duckdb/node-api';
import type { ReadWriteLock } from '../documents/read-write-lock.ts';
import type { ColumnBatch } from './column-batch.ts';
import { ColumnDatabase, inTransaction, quoteText, removeColumnFile } from './column-database.ts';
import {
  type Column,
  type ColumnKind,
  type ColumnPosition,
  type ColumnTable,
  sqlType,
  tableName,
} from './column-tables.ts';
import { ColumnTransaction } from './column-transaction.ts';

/** Raised when the stored form of columns changes: older files are made anew. */
const FORMAT = 5;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS position (format INTEGER, opening VARCHAR, seq BIGINT);
  CREATE TABLE IF NOT EXISTS tables (index_number INTEGER, fingerprint VARCHAR, until BIGINT, scanned BIGINT);
  CREATE TABLE IF NOT EXISTS columns (index_number INTEGER, path VARCHAR, name VARCHAR, kind VARCHAR, list BOOLEAN, repeats BOOLEAN);
`;

/** A column that a table has to have, and what it has to be able to hold. */
export interface NeededColumn {
  readonly path: string;
  readonly kind: ColumnKind;
  readonly isList: boolean;
  readonly repeats: boolean;
}

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
      await store.database.close();
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

  /** `until`: highest key of the documents that have to be scanned. */
  async createTable(index: number, fingerprint: string, until: number): Promise<ColumnTable> {
    await this.database.withConnection((connection) =>
      inTransaction(connection, async () => {
        await connection.run(`CREATE TABLE ${tableName(index)} (k BIGINT, s BIGINT, id VARCHAR)`);
        await connection.run('INSERT INTO tables VALUES ($1, $2, $3, 0)', [index, fingerprint, BigInt(until)]);
      }),
    );
    const table: ColumnTable = {
      index,
      fingerprint,
      columns: new Map(),
      until,
      scanned: 0,
      highestKey: 0,
    };
    this.tables.set(index, table);
    return table;
  }

  /** The table goes on under another definition, for which its columns are as good. */
  async adopt(table: ColumnTable, fingerprint: string): Promise<void> {
    await this.database.run(
      `UPDATE tables SET fingerprint = ${quoteText(fingerprint)} WHERE index_number = ${table.index}`,
    );
    this.tables.set(table.index, { ...table, fingerprint });
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

  /**
   * Makes the columns that are needed: a column comes with its first value, becomes a list with its first document of several
   * values, and is known to repeat values with the first list that does.
   */
  async prepare(table: ColumnTable, needed: Iterable<NeededColumn>): Promise<void> {
    const { added, changed } = missingColumns(table, needed);
    if (added.length > 0) {
      await this.database.withConnection((connection) =>
        inTransaction(connection, async () => {
          for (const column of added) await addColumn(connection, table, column);
        }),
      );
      for (const column of added) table.columns.set(column.path, column);
    }
    for (const column of changed) {
      await this.#alone(async (connection) => {
        await inTransaction(connection, () => changeColumn(connection, table, column));
        table.columns.set(column.path, column);
      });
    }
  }

  /** Whether the batch can be appended without `prepare`. */
  fits(table: ColumnTable, batch: ColumnBatch): boolean {
    const { added, changed } = missingColumns(table, batch.columns);
    return added.length === 0 && changed.length === 0;
  }

  /** Changes as one transaction, which moves the position too. */
  async change(position: ColumnPosition, work: (transaction: ColumnTransaction) => Promise<void>): Promise<void> {
    await this.database.withConnection(async (connection) => {
      const transaction = new ColumnTransaction(connection);
      await inTransaction(connection, async () => {
        await work(transaction);
        await transaction.finish(position);
      });
      transaction.publish();
    });
    this.#position = position;
  }

  async #load(): Promise<void> {
    for (const statement of SCHEMA.split(';')) if (statement.trim() !== '') await this.database.run(statement);
    const [position] = await this.database.rows('SELECT format, opening, seq FROM position');
    if (position && Number(position[0]) !== FORMAT)
      throw new Error(`column format ${String(position[0])}, not ${FORMAT}`);
    if (position) this.#position = { opening: String(position[1]), seq: Number(position[2]) };
    for (const row of await this.database.rows('SELECT index_number, fingerprint, until, scanned FROM tables')) {
      const index = Number(row[0]);
      const [highest] = await this.database.rows(`SELECT max(k) FROM ${tableName(index)}`);
      this.tables.set(index, {
        index,
        fingerprint: String(row[1]),
        until: Number(row[2]),
        scanned: Number(row[3]),
        highestKey: Number(highest?.[0] ?? 0),
        columns: new Map(),
      });
    }
    for (const row of await this.database.rows(
      'SELECT index_number, path, name, kind, list, repeats FROM columns ORDER BY length(name), name',
    )) {
      const column = {
        path: String(row[1]),
        name: String(row[2]),
        kind: row[3] as ColumnKind,
        list: row[4] === true,
        repeats: row[5] === true,
      };
      this.tables.get(Number(row[0]))?.columns.set(column.path, column);
    }
  }

  /** While no statement runs that was compiled for the present tables. */
  #alone(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
    return this.#lock.exclusive(() => this.database.withConnection(work));
  }
}

async function addColumn(connection: DuckDBConnection, table: ColumnTable, column: Column): Promise<void> {
  const { path, name, kind, list, repeats } = column;
  await connection.run(`ALTER TABLE ${tableName(table.index)} ADD COLUMN ${name} ${sqlType(column)}`);
  await connection.run('INSERT INTO columns VALUES ($1, $2, $3, $4, $5, $6)', [
    table.index,
    path,
    name,
    kind,
    list,
    repeats,
  ]);
}

async function changeColumn(connection: DuckDBConnection, table: ColumnTable, column: Column): Promise<void> {
  const { name, path, list, repeats } = column;
  if (list && table.columns.get(path)?.list === false) {
    await connection.run(`ALTER TABLE ${tableName(table.index)} ALTER COLUMN ${name} TYPE ${sqlType(column)}
      USING CASE WHEN ${name} IS NULL THEN NULL ELSE [${name}] END`);
  }
  const change = 'UPDATE columns SET list = $1, repeats = $2 WHERE index_number = $3 AND name = $4';
  await connection.run(change, [list, repeats, table.index, name]);
}

/** The columns that are needed: those that the table lacks, and those that can less there than they have to. */
function missingColumns(
  table: ColumnTable,
  needed: Iterable<NeededColumn>,
): { readonly added: readonly Column[]; readonly changed: readonly Column[] } {
  const added: Column[] = [];
  const changed: Column[] = [];
  for (const { path, kind, isList, repeats } of needed) {
    const present = table.columns.get(path);
    if (present === undefined) {
      added.push({ path, kind, list: isList, repeats, name: `c${table.columns.size + added.length}` });
    } else if ((isList && !present.list) || (repeats && !present.repeats)) {
      changed.push({ ...present, list: present.list || isList, repeats: present.repeats || repeats });
    }
  }
  return { added, changed };
}
