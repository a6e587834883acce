import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Unavailable } from '../../../errors/errors.ts';
import type { CatalogueIndex } from '../indices/index-catalogue.ts';
import { lastSequence, NO_KEY } from './document-database.ts';
import type { DocumentTables } from './document-tables.ts';
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
