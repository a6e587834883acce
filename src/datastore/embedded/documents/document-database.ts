import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { isTriadError, messageOf, type TriadError, Unavailable } from '../../../errors/errors.ts';

export const DOCUMENT_FILE = 'documents.sqlite';

/**
 * Defines the tables of the folder.
 * `changes` is the log that the columns follow: one row for every write, in order of `seq`, dropped once the columns
 * hold it durably. Rows copied from another index keep their sequence numbers: the log has one row with the key 0 for
 * all of a step, and `copied_rows` holds their keys. `openings` distinguishes histories of the folder: after a restored
 * backup the sequence numbers repeat, the identifiers of the openings do not.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS openings (number INTEGER PRIMARY KEY AUTOINCREMENT, opening TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS definitions (fingerprint TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS indices (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    write_blocked INTEGER NOT NULL DEFAULT 0,
    lifecycle_policy TEXT,
    rollover_alias TEXT,
    documents INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS aliases (
    alias TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES indices ON DELETE CASCADE,
    write_index INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (alias, number)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS templates (
    name TEXT PRIMARY KEY, pattern TEXT NOT NULL, fingerprint TEXT NOT NULL, lifecycle_policy TEXT, rollover_alias TEXT
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS changes (seq INTEGER PRIMARY KEY, number INTEGER NOT NULL, key INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS copied_rows (
    seq INTEGER PRIMARY KEY, number INTEGER NOT NULL, after INTEGER NOT NULL, last INTEGER NOT NULL
  );
`;

/** The key in the log of a change that concerns no single document. */
export const NO_KEY = 0;

const BUSY_TIMEOUT = 10_000;
/** Columns that are older than this number of openings are rebuilt. */
const KEPT_OPENINGS = 1000;

/** Opens the documents for writing and creates what is missing. At most one writer at a time. */
export function openForWriting(folder: string): DatabaseSync {
  const database = new DatabaseSync(folder === 'memory' ? ':memory:' : join(folder, DOCUMENT_FILE), {
    timeout: BUSY_TIMEOUT,
  });
  // FULL: an answered write also survives the loss of power; group commit shares the cost of the sync.
  database.exec(`
    PRAGMA page_size = 8192;
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA wal_autocheckpoint = 2000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -16000;
  `);
  database.exec('BEGIN IMMEDIATE');
  database.exec(SCHEMA);
  database.exec("INSERT OR IGNORE INTO meta VALUES ('trimmed', 0), ('catalogue', 0)");
  database.prepare('INSERT INTO openings (opening, seq) VALUES (?, ?)').run(randomUUID(), lastSequence(database));
  database.exec(`DELETE FROM openings WHERE number <= (SELECT max(number) FROM openings) - ${KEPT_OPENINGS}`);
  database.exec('COMMIT');
  return database;
}

export function openForReading(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, DOCUMENT_FILE), { timeout: BUSY_TIMEOUT });
  database.exec('PRAGMA query_only = ON; PRAGMA cache_size = -16000;');
  return database;
}

export function lastSequence(database: DatabaseSync): number {
  return Number(prepared(database, LAST_SEQUENCE).get()?.seq ?? 0);
}

const LAST_SEQUENCE = `
  SELECT max((SELECT value FROM meta WHERE name = 'trimmed'), coalesce((SELECT max(seq) FROM changes), 0)) AS seq
`;
const PREPARED = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Returns a statement of constant text, prepared once for each connection. */
export function prepared(database: DatabaseSync, sql: string): StatementSync {
  const known = PREPARED.get(database) ?? new Map<string, StatementSync>();
  PREPARED.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/** Names the table with the documents of an index. Its `key`, the order of insertion, never changes. */
export function documentTable(index: number): string {
  return `documents_${index}`;
}

export function createDocumentTable(database: DatabaseSync, index: number): void {
  database.exec(`CREATE TABLE ${documentTable(index)} (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, json TEXT NOT NULL
  )`);
}

/** Prepares the statements of a table once for each index. */
export class TableStatements<S extends Readonly<Record<string, string>>> {
  readonly #database: DatabaseSync;
  readonly #sql: (table: string) => S;
  readonly #prepared = new Map<number, Record<keyof S, StatementSync>>();

  constructor(database: DatabaseSync, sql: (table: string) => S) {
    this.#database = database;
    this.#sql = sql;
  }

  of(index: number): Record<keyof S, StatementSync> {
    const known = this.#prepared.get(index);
    if (known) return known;
    const texts = Object.entries(this.#sql(documentTable(index)));
    const statements = Object.fromEntries(texts.map(([name, sql]) => [name, this.#database.prepare(sql)]));
    this.#prepared.set(index, statements as Record<keyof S, StatementSync>);
    return statements as Record<keyof S, StatementSync>;
  }

  /** Forgets the statements: tables may have been dropped. */
  clear(): void {
    this.#prepared.clear();
  }
}

/** The last write that a reader has followed, in a history of the documents. */
export interface Position {
  readonly opening: string;
  readonly seq: number;
}

export function currentOpening(database: DatabaseSync): string {
  return String(database.prepare('SELECT opening FROM openings ORDER BY number DESC LIMIT 1').get()?.opening);
}

/** Returns whether the history is the same and the log still holds what came after the position. */
export function canFollow(database: DatabaseSync, position: Position): boolean {
  const opening = database.prepare('SELECT number FROM openings WHERE opening = ?').get(position.opening);
  if (!opening) return false;
  const next = database.prepare('SELECT min(seq) AS seq FROM openings WHERE number > ?').get(Number(opening.number));
  const trimmed = database.prepare("SELECT value FROM meta WHERE name = 'trimmed'").get()?.value;
  return position.seq <= Number(next?.seq ?? lastSequence(database)) && position.seq >= Number(trimmed);
}

/** Advice for the operator by primary result code of SQLite (https://www.sqlite.org/rescode.html). */
const ADVICE: Readonly<Record<number, string>> = {
  5: 'Another program holds it open. Stop that program.',
  8: 'It cannot be written. Check the permissions and whether the file system is mounted read-only.',
  10: 'The disk reports an input/output error. Check the disk.',
  11: 'A file is damaged. Restore it from a backup.',
  13: 'The disk is full. Free space; nothing that was answered is lost.',
  14: 'A file cannot be opened. Check the permissions and the free space.',
  26: 'A file is not a database of this program. Restore it from a backup.',
};
const SQLITE_CONSTRAINT = 19;

/** Returns `datastore_unavailable` with advice for an error of SQLite; only operators may see `folder`. */
export function storageError(error: unknown, folder?: string): TriadError {
  if (isTriadError(error)) return error;
  const advice = ADVICE[resultCode(error) ?? -1] ?? 'See the log for the cause.';
  const place = folder === undefined ? 'The data folder' : `The data folder ${folder}`;
  const message = `${place} cannot be used now (${messageOf(error)}). ${advice}`;
  return new Unavailable('datastore_unavailable', message, { cause: error });
}

/** Returns whether SQLite itself, and not a defect of the program, failed. */
export function isSqliteError(error: unknown): boolean {
  return resultCode(error) !== undefined;
}

/** Returns whether a row was refused because another has the same key. */
export function isConstraintError(error: unknown): boolean {
  return resultCode(error) === SQLITE_CONSTRAINT;
}

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}
