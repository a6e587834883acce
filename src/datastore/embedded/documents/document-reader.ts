import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CatalogueIndex } from '../indices/index-catalogue.ts';
import { storageError } from '../sqlite-errors.ts';
import { documentTable } from './document-database.ts';

/** A stored document as it lies in the folder. */
export interface DocumentRow {
  readonly key: number;
  readonly id: string;
  readonly seq: number;
  readonly json: string;
}

export interface LogEntry {
  readonly seq: number;
  readonly index: number;
  readonly key: number;
}

/** Rows with keys in `(after, last]` that were copied from another index as they are. */
export interface LoggedCopy {
  readonly index: number;
  readonly after: number;
  readonly last: number;
}

interface TableStatements {
  readonly byId: StatementSync;
  readonly byKey: StatementSync;
  readonly afterKey: StatementSync;
  readonly between: StatementSync;
  readonly sizeOf: StatementSync;
  readonly lastKey: StatementSync;
  readonly afterId: StatementSync;
}

/** Reads documents through one connection; every method sees what was committed before its call. */
export class DocumentReader {
  readonly #database: DatabaseSync;
  readonly #tables = new Map<number, TableStatements>();
  readonly #log: StatementSync;
  readonly #copies: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#log = database.prepare(
      'SELECT seq, number AS "index", key FROM changes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
    );
    this.#copies = database.prepare(
      'SELECT number AS "index", after, last FROM copied_rows WHERE seq > ? AND seq <= ? ORDER BY seq',
    );
  }

  get database(): DatabaseSync {
    return this.#database;
  }

  /** The document of that identifier, with the index that holds it; the newest index wins. */
  byId(indices: readonly CatalogueIndex[], id: string): (DocumentRow & { index: CatalogueIndex }) | undefined {
    for (let at = indices.length - 1; at >= 0; at -= 1) {
      const index = indices[at];
      const row = index && this.#run(() => this.#statements(index.number).byId.get(id));
      if (row) return { ...rowOf(row), index };
    }
    return undefined;
  }

  byKey(index: number, key: number): DocumentRow | undefined {
    const row = this.#run(() => this.#statements(index).byKey.get(key));
    return row && rowOf(row);
  }

  /** The highest key; 0 without documents. */
  lastKey(index: number): number {
    return Number(this.#run(() => this.#statements(index).lastKey.get())?.last ?? 0);
  }

  /** The next rows in order of insertion. */
  afterKey(index: number, key: number, rows: number): readonly DocumentRow[] {
    return this.#run(() => this.#statements(index).afterKey.all(key, rows)).map(rowOf);
  }

  /** The next rows with keys in `(after, upTo]`, in order of insertion; fewer than `rows` also where they reach `characters`. */
  between(index: number, after: number, upTo: number, rows: number, characters: number): readonly DocumentRow[] {
    return this.#run(() => {
      const found: DocumentRow[] = [];
      let left = characters;
      for (const row of this.#statements(index).between.iterate(after, upTo, rows)) {
        const document = rowOf(row);
        found.push(document);
        left -= document.json.length;
        if (left <= 0) break;
      }
      return found;
    });
  }

  /** Bytes of a document; 0 when there is none. */
  sizeOf(index: number, key: number): number {
    return Number(this.#run(() => this.#statements(index).sizeOf.get(key))?.bytes ?? 0);
  }

  /** The next rows in order of identifier (UTF-8 bytes). */
  afterId(index: number, id: string, rows: number): readonly DocumentRow[] {
    return this.#run(() => this.#statements(index).afterId.all(id, rows)).map(rowOf);
  }

  /** Changes with numbers in `(after, upTo]`, the first `rows` of them. */
  log(after: number, upTo: number, rows: number): readonly LogEntry[] {
    return this.#run(() => this.#log.all(after, upTo, rows)) as unknown as readonly LogEntry[];
  }

  /** What was copied by the writes with numbers in `(after, upTo]`. */
  copies(after: number, upTo: number): readonly LoggedCopy[] {
    return this.#run(() => this.#copies.all(after, upTo)) as unknown as readonly LoggedCopy[];
  }

  /** Documents, and the bytes of their text. */
  size(index: number): { readonly documents: number; readonly bytes: number } {
    const row = this.#run(() =>
      this.#database.prepare('SELECT documents, bytes FROM indices WHERE number = ?').get(index),
    );
    return { documents: Number(row?.documents ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  #statements(index: number): TableStatements {
    const known = this.#tables.get(index);
    if (known) return known;
    const table = documentTable(index);
    const statements = {
      byId: this.#database.prepare(`SELECT key, id, seq, json FROM ${table} WHERE id = ?`),
      byKey: this.#database.prepare(`SELECT key, id, seq, json FROM ${table} WHERE key = ?`),
      afterKey: this.#database.prepare(`SELECT key, id, seq, json FROM ${table} WHERE key > ? ORDER BY key LIMIT ?`),
      between: this.#database.prepare(
        `SELECT key, id, seq, json FROM ${table} WHERE key > ? AND key <= ? ORDER BY key LIMIT ?`,
      ),
      sizeOf: this.#database.prepare(`SELECT octet_length(json) AS bytes FROM ${table} WHERE key = ?`),
      lastKey: this.#database.prepare(`SELECT max(key) AS last FROM ${table}`),
      afterId: this.#database.prepare(`SELECT key, id, seq, json FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`),
    };
    this.#tables.set(index, statements);
    return statements;
  }

  #run<R>(read: () => R): R {
    try {
      return read();
    } catch (error) {
      throw storageError(error);
    }
  }
}

function rowOf(row: Record<string, unknown>): DocumentRow {
  return row as unknown as DocumentRow;
}
