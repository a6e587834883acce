import type { DatabaseSync, StatementSync } from 'node:sqlite';
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
   * Copies rows as writes that come after `seq`, gaps included: a row's number is `seq` and the distance of its key to `after`. The
   * target must hold none of the keys and identifiers.
   */
  appendRows(
    { source, target, after, rows }: RowCopy,
    seq: number,
  ): { copied: number; last: number | undefined; bytes: number } {
    const [from, to] = [documentTable(source), documentTable(target)];
    const last = this.#lastOf(from, after, rows);
    if (last === undefined) return { copied: 0, last, bytes: 0 };
    const numbered = `? + key - ?`;
    this.#database
      .prepare(`INSERT INTO ${to} SELECT key, id, ${numbered}, json FROM ${from} WHERE key > ? AND key <= ?`)
      .run(seq, after, after, last);
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
