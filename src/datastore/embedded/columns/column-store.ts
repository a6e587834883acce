import { DuckDBBlobValue, type DuckDBConnection } from '@duckdb/node-api';
import { isTriadError, Unavailable } from '../../../errors/errors.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import { canFollow, currentOpening, lastSequence, type Position } from '../documents/document-database.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import { AccessKinds } from './access-kinds.ts';
import type { ColumnBatch } from './column-batch.ts';
import { ColumnDatabase, inTransaction, quoteText, removeColumnFile } from './column-database.ts';
import {
  type Column,
  type ColumnKind,
  type ColumnTable,
  newGrams,
  numberedGrams,
  sqlType,
  tableName,
} from './column-tables.ts';
import { ColumnTransaction } from './column-transaction.ts';
import type { ReadWriteLock } from './read-write-lock.ts';
import { unpackBits, ValueGrams } from './value-grams.ts';

/** The version of the stored form of columns; files of another version are rebuilt. */
const FORMAT = 7;

const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS position (format INTEGER, opening VARCHAR, seq BIGINT)',
  'CREATE TABLE IF NOT EXISTS tables (index_number INTEGER, fingerprint VARCHAR, until BIGINT, scanned BIGINT)',
  'CREATE TABLE IF NOT EXISTS columns (index_number INTEGER, path VARCHAR, name VARCHAR, kind VARCHAR, list BOOLEAN, repeats BOOLEAN)',
  'CREATE TABLE IF NOT EXISTS grams (index_number INTEGER, added BLOB)',
  'CREATE TABLE IF NOT EXISTS access_kinds (number INTEGER, content VARCHAR)',
];

type NeededColumn = Omit<Column, 'name' | 'grams'>;

/** Holds the tables of the column database. One caller at a time may change it; reads run meanwhile. */
export class ColumnStore {
  readonly database: ColumnDatabase;
  readonly tables = new Map<number, ColumnTable>();
  readonly #access = new AccessKinds();
  readonly #lock: ReadWriteLock;
  #position: Position | undefined;

  private constructor(database: ColumnDatabase, lock: ReadWriteLock) {
    this.database = database;
    this.#lock = lock;
  }

  /** Opens the file, or creates it. Throws when it is damaged or of another format. */
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

  /** Undefined: nothing was ever applied. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** The number of the last applied write. */
  get seq(): number {
    return this.#position?.seq ?? 0;
  }

  async begin(position: Position): Promise<void> {
    const values = `${FORMAT}, ${quoteText(position.opening)}, ${position.seq}`;
    await this.#transaction(async (connection) => {
      await connection.run('DELETE FROM position');
      await connection.run(`INSERT INTO position VALUES (${values})`);
    });
    this.#position = position;
  }

  /** @param until - the highest key of the documents that have to be scanned */
  async createTable(index: number, fingerprint: string, until: number): Promise<void> {
    await this.#transaction(async (connection) => {
      await connection.run(`CREATE TABLE ${tableName(index)} (k BIGINT, s BIGINT, id VARCHAR, access_kind INTEGER)`);
      await connection.run(`INSERT INTO tables VALUES (${index}, ${quoteText(fingerprint)}, ${until}, 0)`);
    });
    const [columns, identifiers, access] = [new Map<string, Column>(), new ValueGrams(), this.#access];
    this.tables.set(index, { index, fingerprint, columns, identifiers, access, until, scanned: 0, highestKey: 0 });
  }

  /** Assigns another definition to a table whose columns are valid for it. */
  async adopt(table: ColumnTable, fingerprint: string): Promise<void> {
    const set = `UPDATE tables SET fingerprint = ${quoteText(fingerprint)}`;
    await this.database.run(`${set} WHERE index_number = ${table.index}`);
    this.tables.set(table.index, { ...table, fingerprint });
  }

  async dropTable(index: number): Promise<void> {
    this.tables.delete(index);
    await this.#lock.exclusive(() =>
      this.#transaction(async (connection) => {
        await connection.run(`DROP TABLE IF EXISTS ${tableName(index)}`);
        await connection.run(`DELETE FROM tables WHERE index_number = ${index}`);
        await connection.run(`DELETE FROM columns WHERE index_number = ${index}`);
        await connection.run(`DELETE FROM grams WHERE index_number = ${index}`);
      }),
    );
  }

  /** Creates columns with their first value, and makes them lists with the first list. */
  async prepare(table: ColumnTable, needed: Iterable<NeededColumn>): Promise<void> {
    const { added, changed } = missingColumns(table, needed);
    if (added.length > 0) {
      await this.#transaction(async (connection) => {
        for (const column of added) await addColumn(connection, table, column);
      });
      for (const column of added) table.columns.set(column.path, column);
    }
    for (const column of changed) {
      // No statement runs meanwhile that was compiled for the narrower column.
      await this.#lock.exclusive(async () => {
        await this.#transaction((connection) => changeColumn(connection, table, column));
        table.columns.set(column.path, column);
      });
    }
  }

  /** Returns whether the batch can be appended without `prepare`. */
  fits(table: ColumnTable, batch: ColumnBatch): boolean {
    const { added, changed } = missingColumns(table, batch.columns);
    return added.length === 0 && changed.length === 0;
  }

  /** Runs changes as one transaction, which moves the position to `seq` too. */
  async change(seq: number, work: (transaction: ColumnTransaction) => Promise<void>): Promise<void> {
    await this.database.withConnection(async (connection) => {
      const transaction = new ColumnTransaction(connection, this.#access);
      await inTransaction(connection, async () => {
        await work(transaction);
        await transaction.finish(seq);
      });
      transaction.publish();
    });
    this.#position = { opening: this.#position?.opening ?? '', seq };
  }

  async #load(): Promise<void> {
    for (const statement of SCHEMA) await this.database.run(statement);
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
        identifiers: new ValueGrams(),
        access: this.#access,
      });
    }
    const columns = 'SELECT index_number, path, name, kind, list, repeats FROM columns ORDER BY length(name), name';
    for (const row of await this.database.rows(columns)) {
      const [index, path, name, kind, list, repeats] = row as [number, string, string, ColumnKind, boolean, boolean];
      this.tables.get(index)?.columns.set(path, { path, name, kind, list, repeats, ...newGrams(kind) });
    }
    await this.#loadGrams();
    for (const [number, content] of await this.database.rows('SELECT number, content FROM access_kinds')) {
      this.#access.restore(Number(number), String(content));
    }
  }

  async #loadGrams(): Promise<void> {
    for (const table of this.tables.values()) {
      const numbered = numberedGrams(table);
      const rows = await this.database.rows(`SELECT added FROM grams WHERE index_number = ${table.index}`);
      for (const [added] of rows) {
        if (!(added instanceof DuckDBBlobValue)) continue;
        unpackBits(added.bytes, (column, bit) => numbered.get(column)?.restore(bit));
      }
    }
  }

  #transaction(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
    return this.database.withConnection((connection) => inTransaction(connection, () => work(connection)));
  }
}

async function addColumn(connection: DuckDBConnection, table: ColumnTable, column: Column): Promise<void> {
  const { path, name, kind, list, repeats } = column;
  await connection.run(`ALTER TABLE ${tableName(table.index)} ADD COLUMN ${name} ${sqlType(column)}`);
  const values = [table.index, path, name, kind, list, repeats];
  await connection.run('INSERT INTO columns VALUES ($1, $2, $3, $4, $5, $6)', values);
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

/** Returns the columns that the table lacks, and those that have to hold more than they can. */
function missingColumns(
  table: ColumnTable,
  needed: Iterable<NeededColumn>,
): { readonly added: readonly Column[]; readonly changed: readonly Column[] } {
  const added: Column[] = [];
  const changed: Column[] = [];
  for (const { path, kind, list, repeats } of needed) {
    const present = table.columns.get(path);
    if (present === undefined) {
      const name = `c${table.columns.size + added.length}`;
      added.push({ path, kind, list, repeats, name, ...newGrams(kind) });
    } else if ((list && !present.list) || (repeats && !present.repeats)) {
      changed.push({ ...present, list: present.list || list, repeats: present.repeats || repeats });
    }
  }
  return { added, changed };
}

export interface ColumnContext {
  readonly folder: string;
  readonly reader: DocumentReader;
  readonly logger: DatastoreLogger;
  /** Searches share it; changes of tables that they were compiled for hold it exclusively. */
  readonly lock: ReadWriteLock;
}

/** Messages that blame the disk and not the file. */
const DISK_PROBLEM =
  /No space left|Disk quota|Read-only file system|Permission denied|Too many open files|File too large/i;

/**
 * Opens the columns of a folder.
 * Files that are damaged, of another history or older than the log reaches back are rebuilt from the documents.
 * @throws Unavailable `datastore_unavailable`, when the disk does not allow it
 */
export async function openColumnStore(context: ColumnContext, isDamaged: boolean): Promise<ColumnStore> {
  const { reader } = context;
  const store = isDamaged ? await rebuilt(context, 'Their file is damaged.') : await usable(context);
  const opening = currentOpening(reader.database);
  await store.begin({ opening, seq: store.position?.seq ?? lastSequence(reader.database) });
  return store;
}

async function usable(context: ColumnContext): Promise<ColumnStore> {
  const { folder, reader, lock } = context;
  try {
    const store = await ColumnStore.open(folder, lock);
    if (store.position === undefined || canFollow(reader.database, store.position)) return store;
    await store.database.close();
  } catch (cause) {
    if (isTriadError(cause)) throw cause;
    if (cause instanceof Error && DISK_PROBLEM.test(cause.message)) {
      const message = `The search columns in ${folder} cannot be opened: ${cause.message}`;
      throw new Unavailable('datastore_unavailable', message, { cause });
    }
    return rebuilt(context, 'Their file cannot be read.', cause);
  }
  return rebuilt(context, 'They do not belong to the present documents.');
}

function rebuilt({ folder, logger, lock }: ColumnContext, reason: string, cause?: unknown): Promise<ColumnStore> {
  logger.warn({ folder, err: cause }, `The search columns in ${folder} are rebuilt from the documents. ${reason}`);
  removeColumnFile(folder);
  return ColumnStore.open(folder, lock);
}
