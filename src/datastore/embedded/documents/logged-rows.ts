import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Conflict, Unavailable } from '../../../errors/errors.ts';
import type { CatalogueIndex } from '../indices/index-catalogue.ts';
import { isConstraintError } from '../sqlite-errors.ts';
import { documentTable, lastSequence, NO_KEY } from './document-database.ts';
import type { WriteRequest } from './write-requests.ts';

/** Where a document lies. */
export interface Present {
  readonly index: CatalogueIndex;
  readonly key: number;
  readonly seq: number;
  readonly bytes: number;
}

/** What a transaction adds to the size of an index. */
interface Growth {
  readonly documents: number;
  readonly bytes: number;
}

/**
 * Rows of documents. Every change gets the next sequence number and a line in the log of changes, which the columns follow, and counts
 * for the size of its index. Inside the transaction of `DocumentWriter`, which alone uses it.
 */
export class LoggedRows {
  readonly #database: DatabaseSync;
  readonly #tables: DocumentTables;
  readonly #log: StatementSync;
  readonly #grow: StatementSync;
  #growth = new Map<number, Growth>();
  #seq: number;

  constructor(database: DatabaseSync, tables: DocumentTables) {
    this.#database = database;
    this.#tables = tables;
    this.#log = database.prepare('INSERT INTO changes (seq, number, key) VALUES (?, ?, ?)');
    this.#grow = database.prepare('UPDATE indices SET documents = documents + ?, bytes = bytes + ? WHERE number = ?');
    this.#seq = lastSequence(database);
  }

  /** Of the last change. */
  get seq(): number {
    return this.#seq;
  }

  /** In which of the indices the document lies; the last one counts. */
  find(indices: readonly CatalogueIndex[], id: string): Present | undefined {
    for (const index of indices.toReversed()) {
      const row = this.#tables.statements(index.number).find.get(id);
      if (row) return { index, key: Number(row.key), seq: Number(row.seq), bytes: Number(row.bytes) };
    }
    return undefined;
  }

  /** The sequence number of the change. @throws Unavailable `write_blocked` */
  insert(index: CatalogueIndex, id: string, json: string): number {
    rejectBlocked(index);
    const seq = this.#next();
    const { lastInsertRowid } = this.#tables.statements(index.number).insert.run(id, seq, json);
    this.#log.run(seq, index.number, lastInsertRowid);
    this.#count(index, 1, Buffer.byteLength(json));
    return seq;
  }

  /** The sequence number of the change. @throws Unavailable `write_blocked` */
  replace({ index, key, bytes }: Present, json: string): number {
    rejectBlocked(index);
    const seq = this.#next();
    this.#tables.statements(index.number).replace.run(seq, json, key);
    this.#log.run(seq, index.number, key);
    this.#count(index, 0, Buffer.byteLength(json) - bytes);
    return seq;
  }

  /** The sequence number of the change. @throws Unavailable `write_blocked` */
  remove({ index, key, bytes }: Present): number {
    rejectBlocked(index);
    const seq = this.#next();
    this.#tables.statements(index.number).remove.run(key);
    this.#log.run(seq, index.number, key);
    this.#count(index, -1, -bytes);
    return seq;
  }

  /**
   * Copies rows of another index as they are: one change, whatever their number.
   * @throws Unavailable `write_blocked`; Conflict as `DocumentTables.copyRows`
   */
  append(index: CatalogueIndex, request: Extract<WriteRequest, { kind: 'appendRows' }>) {
    rejectBlocked(index);
    const { source, target, after } = request;
    const { copied, last } = this.#tables.copyRows(request);
    if (last === undefined) return { copied, last };
    const seq = this.#next();
    this.#log.run(seq, target, NO_KEY);
    this.#database.prepare('INSERT INTO copied_rows VALUES (?, ?, ?, ?)').run(seq, target, after, last);
    this.#count(index, copied, this.#tables.bytes(source, after, last));
    return { copied, last };
  }

  /** Forgets the log up to a change: the columns have it. */
  trim(seq: number): void {
    const floor = Math.min(seq, this.#seq);
    this.#database.prepare('DELETE FROM changes WHERE seq <= ?').run(floor);
    this.#database.prepare('DELETE FROM copied_rows WHERE seq <= ?').run(floor);
    this.#database.prepare("UPDATE meta SET value = max(value, ?) WHERE name = 'trimmed'").run(floor);
  }

  /** Writes down how the indices grew, before the end of a transaction. */
  writeGrowth(): void {
    for (const [index, { documents, bytes }] of this.#growth) this.#grow.run(documents, bytes, index);
    this.#growth.clear();
  }

  /** The transaction was undone. */
  reload(): void {
    this.#growth.clear();
    this.#seq = lastSequence(this.#database);
  }

  #count({ number }: CatalogueIndex, documents: number, bytes: number): void {
    const before = this.#growth.get(number);
    this.#growth.set(number, { documents: (before?.documents ?? 0) + documents, bytes: (before?.bytes ?? 0) + bytes });
  }

  #next(): number {
    this.#seq += 1;
    return this.#seq;
  }
}

function rejectBlocked(index: CatalogueIndex): void {
  if (index.writeBlocked) {
    throw new Unavailable(
      'write_blocked',
      `Writes to ${index.name} are blocked while an operation on it runs. Retry later.`,
    );
  }
}

interface TableStatements {
  readonly find: StatementSync;
  readonly readAt: StatementSync;
  readonly insert: StatementSync;
  readonly replace: StatementSync;
  readonly remove: StatementSync;
}

interface RowCopy {
  readonly source: number;
  readonly target: number;
  /** Key after which to begin. */
  readonly after: number;
  readonly rows: number;
}

/** The statements of the writer, prepared once for each index. */
export class DocumentTables {
  readonly #database: DatabaseSync;
  readonly #tables = new Map<number, TableStatements>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  statements(index: number): TableStatements {
    const known = this.#tables.get(index);
    if (known) return known;
    const table = documentTable(index);
    const statements = {
      find: this.#database.prepare(`SELECT key, seq, octet_length(json) AS bytes FROM ${table} WHERE id = ?`),
      readAt: this.#database.prepare(`SELECT id, seq, json, octet_length(json) AS bytes FROM ${table} WHERE key = ?`),
      insert: this.#database.prepare(`INSERT INTO ${table} (id, seq, json) VALUES (?, ?, ?)`),
      replace: this.#database.prepare(`UPDATE ${table} SET seq = ?, json = ? WHERE key = ?`),
      remove: this.#database.prepare(`DELETE FROM ${table} WHERE key = ?`),
    };
    this.#tables.set(index, statements);
    return statements;
  }

  /** Forgets the statements: tables may have gone. */
  clear(): void {
    this.#tables.clear();
  }

  /**
   * Copies rows as they are, keys, identifiers and sequence numbers included. Neither the log nor the size of the target changes.
   * @throws Conflict `already_exists`, when the target has one of the keys or identifiers
   */
  copyRows({ source, target, after, rows }: RowCopy): { copied: number; last: number | undefined } {
    const from = documentTable(source);
    const last = this.#lastOf(from, after, rows);
    if (last === undefined) return { copied: 0, last };
    const insert = `INSERT INTO ${documentTable(target)} SELECT * FROM ${from} WHERE key > ? AND key <= ?`;
    try {
      const { changes } = this.#database.prepare(insert).run(after, last);
      return { copied: Number(changes), last };
    } catch (cause) {
      if (!isConstraintError(cause)) throw cause;
      throw new Conflict('already_exists', 'Something else writes to the index that is copied to.', { cause });
    }
  }

  /** Bytes of the documents with keys in `(after, last]`. */
  bytes(index: number, after: number, last: number): number {
    const sum = `SELECT total(octet_length(json)) AS bytes FROM ${documentTable(index)} WHERE key > ? AND key <= ?`;
    return Number(this.#database.prepare(sum).get(after, last)?.bytes);
  }

  #lastOf(table: string, after: number, rows: number): number | undefined {
    const next = `SELECT max(key) AS last FROM (SELECT key FROM ${table} WHERE key > ? ORDER BY key LIMIT ?)`;
    const last = this.#database.prepare(next).get(after, rows)?.last;
    return last === null || last === undefined ? undefined : Number(last);
  }
}
