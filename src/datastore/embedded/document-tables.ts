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
    const next = `SELECT max(key) AS last FROM (SELECT key FROM ${from} WHERE key > ? ORDER BY key LIMIT ?)`;
    const last = this.#database.prepare(next).get(after, rows)?.last;
    if (last === null || last === undefined) return { copied: 0, last: undefined };
    const { changes } = this.#database
      .prepare(`INSERT INTO ${documentTable(target)} SELECT * FROM ${from} WHERE key > ? AND key <= ?`)
      .run(after, last);
    return { copied: Number(changes), last: Number(last) };
  }
}
