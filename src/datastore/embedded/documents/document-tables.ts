import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Conflict } from '../../../errors/errors.ts';
import { isConstraintError } from '../sqlite-errors.ts';
import { documentTable } from './document-database.ts';

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
