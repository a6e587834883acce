import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Conflict } from '../../errors/errors.ts';
import { documentTable } from './document-database.ts';
import { isConstraintError } from './sqlite-errors.ts';

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
      readAt: this.#database.prepare(`SELECT seq, json, octet_length(json) AS bytes FROM ${table} WHERE key = ?`),
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
   * Copies rows as they are, identifiers, sequence numbers and order included. The log does not need them: the columns of the target
   * are scanned.
   */
  copyRows({ source, target, after, rows }: RowCopy): { copied: number; last: number | undefined } {
    const from = documentTable(source);
    const last = this.#lastOf(from, after, rows);
    if (last === undefined) return { copied: 0, last };
    const { changes } = this.#database
      .prepare(`INSERT INTO ${documentTable(target)} SELECT * FROM ${from} WHERE key > ? AND key <= ?`)
      .run(after, last);
    return { copied: Number(changes), last };
  }

  /**
   * Copies rows as writes that come after `seq`, gaps included: a row's number is `seq` and the distance of its key to `after`.
   * @throws Conflict `already_exists`, when the target has one of the keys or identifiers
   */
  appendRows(
    { source, target, after, rows }: RowCopy,
    seq: number,
  ): { copied: number; last: number | undefined; bytes: number } {
    const [from, to] = [documentTable(source), documentTable(target)];
    const last = this.#lastOf(from, after, rows);
    if (last === undefined) return { copied: 0, last, bytes: 0 };
    const numbered = `? + key - ?`;
    const insert = `INSERT INTO ${to} SELECT key, id, ${numbered}, json FROM ${from} WHERE key > ? AND key <= ?`;
    try {
      this.#database.prepare(insert).run(seq, after, after, last);
    } catch (cause) {
      if (!isConstraintError(cause)) throw cause;
      throw new Conflict('already_exists', 'Something else writes to the index that is copied to.', { cause });
    }
    const { changes } = this.#database
      .prepare(`INSERT INTO changes SELECT ${numbered}, ?, key FROM ${from} WHERE key > ? AND key <= ?`)
      .run(seq, after, target, after, last);
    const bytes = this.#database
      .prepare(`SELECT total(octet_length(json)) AS bytes FROM ${from} WHERE key > ? AND key <= ?`)
      .get(after, last)?.bytes;
    return { copied: Number(changes), last, bytes: Number(bytes) };
  }

  #lastOf(table: string, after: number, rows: number): number | undefined {
    const next = `SELECT max(key) AS last FROM (SELECT key FROM ${table} WHERE key > ? ORDER BY key LIMIT ?)`;
    const last = this.#database.prepare(next).get(after, rows)?.last;
    return last === null || last === undefined ? undefined : Number(last);
  }
}
