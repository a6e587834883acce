import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Conflict, Unavailable } from '../../../errors/errors.ts';
import {
  documentTable,
  isConstraintError,
  lastSequence,
  NO_KEY,
  prepared,
  TableStatements,
} from './document-database.ts';
import type { CatalogueIndex } from './index-catalogue.ts';

export interface Present {
  readonly index: CatalogueIndex;
  readonly key: number;
  readonly seq: number;
  readonly bytes: number;
}

export interface RowCopy {
  /** Numbers of indices. */
  readonly source: number;
  readonly target: number;
  /** The key after which to begin. */
  readonly after: number;
  readonly rows: number;
}

interface Growth {
  readonly documents: number;
  readonly bytes: number;
}

const WRITES = (table: string) => ({
  find: `SELECT key, seq, octet_length(json) AS bytes FROM ${table} WHERE id = ?`,
  read: `SELECT id, seq, json, octet_length(json) AS bytes FROM ${table} WHERE key = ?`,
  insert: `INSERT INTO ${table} (id, seq, json) VALUES (?, ?, ?)`,
  replace: `UPDATE ${table} SET seq = ?, json = ? WHERE key = ?`,
  remove: `DELETE FROM ${table} WHERE key = ?`,
  lastOf: `SELECT max(key) AS last FROM (SELECT key FROM ${table} WHERE key > ? ORDER BY key LIMIT ?)`,
  bytes: `SELECT total(octet_length(json)) AS bytes FROM ${table} WHERE key > ? AND key <= ?`,
});
const GROW = 'UPDATE indices SET documents = documents + ?, bytes = bytes + ? WHERE number = ?';

/**
 * Changes rows of documents inside the transaction of `DocumentWriter`, which alone uses it.
 * Every change gets the next sequence number and a line in the log of changes, which the columns follow, and counts for
 * the size of its index. Changes throw Unavailable `write_blocked` where the index takes no writes.
 */
export class LoggedRows {
  readonly #database: DatabaseSync;
  readonly #tables: TableStatements<ReturnType<typeof WRITES>>;
  readonly #log: StatementSync;
  readonly #growth = new Map<number, Growth>();
  #seq: number;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#tables = new TableStatements(database, WRITES);
    this.#log = database.prepare('INSERT INTO changes (seq, number, key) VALUES (?, ?, ?)');
    this.#seq = lastSequence(database);
  }

  get seq(): number {
    return this.#seq;
  }

  /** Returns the place of the document in the last of the indices that has it. */
  find(indices: readonly CatalogueIndex[], id: string): Present | undefined {
    for (let at = indices.length - 1; at >= 0; at -= 1) {
      const index = indices[at];
      const row = index && this.#tables.of(index.number).find.get(id);
      if (row) return { index, key: Number(row.key), seq: Number(row.seq), bytes: Number(row.bytes) };
    }
    return undefined;
  }

  read(index: CatalogueIndex, key: number): { present: Present; id: string; json: string } | undefined {
    const row = this.#tables.of(index.number).read.get(key);
    if (!row) return undefined;
    const present = { index, key, seq: Number(row.seq), bytes: Number(row.bytes) };
    return { present, id: String(row.id), json: String(row.json) };
  }

  /** Returns the sequence number of the change, as `replace` and `remove` do. */
  insert(index: CatalogueIndex, id: string, json: string): number {
    const seq = this.#next(index);
    const { lastInsertRowid } = this.#tables.of(index.number).insert.run(id, seq, json);
    return this.#note(seq, index, Number(lastInsertRowid), 1, Buffer.byteLength(json));
  }

  replace({ index, key, bytes }: Present, json: string): number {
    const seq = this.#next(index);
    this.#tables.of(index.number).replace.run(seq, json, key);
    return this.#note(seq, index, key, 0, Buffer.byteLength(json) - bytes);
  }

  remove({ index, key, bytes }: Present): number {
    const seq = this.#next(index);
    this.#tables.of(index.number).remove.run(key);
    return this.#note(seq, index, key, -1, -bytes);
  }

  /**
   * Copies the next rows of another index unchanged, as one change.
   * @returns the number of rows and the last of their keys, undefined where none is left
   * @throws Conflict `already_exists`, when the target has one of the keys or identifiers
   */
  copy(index: CatalogueIndex, { source, target, after, rows }: RowCopy): { copied: number; last: number | undefined } {
    rejectBlocked(index);
    const from = this.#tables.of(source);
    const last = from.lastOf.get(after, rows)?.last;
    if (last === null || last === undefined) return { copied: 0, last: undefined };
    const seq = this.#next(index);
    const copied = this.#copyRange(source, target, after, Number(last));
    prepared(this.#database, 'INSERT INTO copied_rows VALUES (?, ?, ?, ?)').run(seq, target, after, last);
    this.#note(seq, index, NO_KEY, copied, Number(from.bytes.get(after, last)?.bytes));
    return { copied, last: Number(last) };
  }

  /** Forgets the log up to a change: the columns have it. */
  trim(seq: number): void {
    const floor = Math.min(seq, this.#seq);
    prepared(this.#database, 'DELETE FROM changes WHERE seq <= ?').run(floor);
    prepared(this.#database, 'DELETE FROM copied_rows WHERE seq <= ?').run(floor);
    prepared(this.#database, "UPDATE meta SET value = max(value, ?) WHERE name = 'trimmed'").run(floor);
  }

  /** Stores the growth of the indices, before the end of a transaction. */
  writeGrowth(): void {
    const grow = prepared(this.#database, GROW);
    for (const [index, { documents, bytes }] of this.#growth) grow.run(documents, bytes, index);
    this.#growth.clear();
  }

  /** Forgets what a transaction did that was undone. */
  reload(): void {
    this.#tables.clear();
    this.#growth.clear();
    this.#seq = lastSequence(this.#database);
  }

  #copyRange(source: number, target: number, after: number, last: number): number {
    const rows = `SELECT * FROM ${documentTable(source)} WHERE key > ? AND key <= ?`;
    try {
      return Number(this.#database.prepare(`INSERT INTO ${documentTable(target)} ${rows}`).run(after, last).changes);
    } catch (cause) {
      if (!isConstraintError(cause)) throw cause;
      throw new Conflict('already_exists', 'Something else writes to the index that is copied to.', { cause });
    }
  }

  #note(seq: number, { number }: CatalogueIndex, key: number, documents: number, bytes: number): number {
    this.#log.run(seq, number, key);
    const before = this.#growth.get(number);
    this.#growth.set(number, { documents: (before?.documents ?? 0) + documents, bytes: (before?.bytes ?? 0) + bytes });
    return seq;
  }

  #next(index: CatalogueIndex): number {
    rejectBlocked(index);
    this.#seq += 1;
    return this.#seq;
  }
}

function rejectBlocked({ name, writeBlocked }: CatalogueIndex): void {
  if (!writeBlocked) return;
  const message = `Writes to ${name} are blocked while an operation on it runs. Retry later.`;
  throw new Unavailable('write_blocked', message);
}
