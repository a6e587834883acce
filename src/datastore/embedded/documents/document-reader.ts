import type { DatabaseSync } from 'node:sqlite';
import { prepared, storageError, TableStatements } from './document-database.ts';
import type { CatalogueIndex } from './index-catalogue.ts';

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

/** Rows with keys in `(after, last]` that were copied unchanged from another index. */
export interface LoggedCopy {
  readonly index: number;
  readonly after: number;
  readonly last: number;
}

const READS = (table: string) => ({
  byId: `SELECT key, id, seq, json FROM ${table} WHERE id = ?`,
  byKey: `SELECT key, id, seq, json FROM ${table} WHERE key = ?`,
  between: `SELECT key, id, seq, json FROM ${table} WHERE key > ? AND key <= ? ORDER BY key LIMIT ?`,
  afterId: `SELECT key, id, seq, json FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`,
  lastKey: `SELECT max(key) AS last FROM ${table}`,
});

/** Reads documents through one connection; every method sees what was committed before its call. */
export class DocumentReader {
  readonly database: DatabaseSync;
  readonly #tables: TableStatements<ReturnType<typeof READS>>;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.#tables = new TableStatements(database, READS);
  }

  /** Returns the document with that identifier and the index that holds it; the newest index wins. */
  byId(indices: readonly CatalogueIndex[], id: string): (DocumentRow & { index: CatalogueIndex }) | undefined {
    for (let at = indices.length - 1; at >= 0; at -= 1) {
      const index = indices[at];
      const row = index && this.#run(() => this.#tables.of(index.number).byId.get(id));
      if (row) return { ...rowOf(row), index };
    }
    return undefined;
  }

  byKey(index: number, key: number): DocumentRow | undefined {
    const row = this.#run(() => this.#tables.of(index).byKey.get(key));
    return row && rowOf(row);
  }

  /** Returns the highest key; 0 without documents. */
  lastKey(index: number): number {
    return Number(this.#run(() => this.#tables.of(index).lastKey.get())?.last ?? 0);
  }

  /** Returns the next rows with keys in `(after, upTo]`, fewer where their text reaches `characters`. */
  between(index: number, after: number, upTo: number, rows: number, characters = Number.POSITIVE_INFINITY) {
    return this.#run(() => {
      const found: DocumentRow[] = [];
      let left = characters;
      for (const row of this.#tables.of(index).between.iterate(after, upTo, rows)) {
        const document = rowOf(row);
        found.push(document);
        left -= document.json.length;
        if (left <= 0) break;
      }
      return found;
    });
  }

  /** Returns the next rows in order of identifier (UTF-8 bytes). */
  afterId(index: number, id: string, rows: number): readonly DocumentRow[] {
    return this.#run(() => this.#tables.of(index).afterId.all(id, rows)).map(rowOf);
  }

  /** Returns the first `rows` changes with numbers in `(after, upTo]`. */
  log(after: number, upTo: number, rows: number): readonly LogEntry[] {
    const sql = 'SELECT seq, number AS "index", key FROM changes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?';
    return this.#run(() => prepared(this.database, sql).all(after, upTo, rows)) as unknown as readonly LogEntry[];
  }

  /** Returns what the writes with numbers in `(after, upTo]` copied. */
  copies(after: number, upTo: number): readonly LoggedCopy[] {
    const sql = 'SELECT number AS "index", after, last FROM copied_rows WHERE seq > ? AND seq <= ? ORDER BY seq';
    return this.#run(() => prepared(this.database, sql).all(after, upTo)) as unknown as readonly LoggedCopy[];
  }

  size(index: number): { readonly documents: number; readonly bytes: number } {
    const sql = 'SELECT documents, bytes FROM indices WHERE number = ?';
    const row = this.#run(() => prepared(this.database, sql).get(index));
    return { documents: Number(row?.documents ?? 0), bytes: Number(row?.bytes ?? 0) };
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
