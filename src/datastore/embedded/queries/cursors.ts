import { randomUUID } from 'node:crypto';
import { InvalidInput, TooManyRequests } from '../../../errors/errors.ts';
import type { SqlValue } from '../columns/column-database.ts';
import { openForReading } from '../documents/document-database.ts';
import { DocumentReader, type DocumentRow } from '../documents/document-reader.ts';
import type { FoundRow, FoundRows } from './pages.ts';

/** A document that was found, with its text. */
export interface FoundDocument extends DocumentRow {
  readonly index: number;
  /** It was written after the search; whether the caller may see it has to be decided again. */
  readonly changed: boolean;
  readonly sortKeys?: readonly SqlValue[];
}

export interface CursorPage {
  readonly documents: readonly FoundDocument[];
  readonly total: number;
  /** Present while more may follow. */
  readonly next: string | undefined;
}

export interface FoundPart {
  readonly rows: readonly FoundRow[];
  readonly total: number;
  readonly next: string | undefined;
}

interface Cursor {
  readonly reader: CursorReader;
  readonly rows: FoundRows;
  readonly read: (row: FoundRow) => DocumentRow | undefined;
  readonly release: () => void;
  timer: NodeJS.Timeout;
}

interface PinnedState {
  readonly pin: () => DocumentReader;
  readonly found: (rows: FoundRows) => void;
  readonly read: (row: FoundRow) => DocumentRow | undefined;
  readonly release: () => void;
}

const LIFETIME = 5 * 60_000;
/** Cursors of callers, who may leave them open. Each holds a connection and what was found. */
const MAX_OPEN = 500;

/** Characters of the documents of one page; a larger one would not fit into the memory of the thread. */
export const MAX_PAGE_CHARACTERS = 64_000_000;

/** Who reads the results: a caller, who may never come back, or the program, which closes its cursors and is not limited. */
export type CursorReader = 'caller' | 'program';

/** Results that are read page by page and do not change while the collection does. */
export class Cursors {
  readonly #folder: string;
  readonly #present: DocumentReader;
  readonly #open = new Map<string, Cursor>();
  #ofCallers = 0;

  constructor(folder: string, present: DocumentReader) {
    this.#folder = folder;
    this.#present = present;
  }

  /**
   * Keeps the state that `find` pins, and what it finds there.
   * @throws TooManyRequests `too_many_cursors`
   */
  async open(
    reader: CursorReader,
    find: (pin: () => DocumentReader) => Promise<FoundRows>,
  ): Promise<{ cursor: string; total: number }> {
    if (reader === 'caller' && this.#ofCallers >= MAX_OPEN) {
      const message = `${MAX_OPEN} cursors are open, which is the limit. Read one to its end, or wait 5 minutes.`;
      throw new TooManyRequests('too_many_cursors', message, { retryAfter: LIFETIME / 1000 });
    }
    const state = this.#folder === 'memory' ? this.#copied() : this.#pinned();
    try {
      const rows = await find(state.pin);
      state.found(rows);
      const id = randomUUID();
      this.#open.set(id, { reader, rows, read: state.read, release: state.release, timer: this.#expiry(id) });
      if (reader === 'caller') this.#ofCallers += 1;
      return { cursor: `${id}:0`, total: rows.length };
    } catch (error) {
      state.release();
      throw error;
    }
  }

  /**
   * The page that the cursor stands at; the same cursor gives the same page again. It is shorter than asked for where documents are large.
   * @throws InvalidInput `unknown_cursor`, when it never was or has expired
   */
  read(text: string, rows: number): CursorPage {
    const { cursor, part, total, next } = this.#part(text, rows);
    const documents: FoundDocument[] = [];
    let characters = 0;
    let read = 0;
    for (const row of part) {
      const document = cursor.read(row);
      if (document) documents.push({ ...document, index: row.index, changed: false });
      read += 1;
      characters += document?.json.length ?? 0;
      if (characters > MAX_PAGE_CHARACTERS) break;
    }
    const [id, start] = text.split(':');
    if (read < part.length) return { documents, total, next: `${id}:${Number(start) + read}` };
    if (next === undefined) this.close(text);
    return { documents, total, next };
  }

  /** As `read`, without the documents. */
  found(text: string, rows: number): FoundPart {
    const { part, total, next } = this.#part(text, rows);
    if (next === undefined) this.close(text);
    return { rows: part, total, next };
  }

  #part(text: string, rows: number) {
    const [id = '', start = ''] = text.split(':');
    const cursor = this.#open.get(id);
    if (!cursor || !/^\d{1,9}$/.test(start)) {
      throw new InvalidInput('unknown_cursor', 'The cursor is not known, or was not used for 5 minutes. Start again.', {
        at: 'cursor',
      });
    }
    clearTimeout(cursor.timer);
    cursor.timer = this.#expiry(id);
    const from = Number(start);
    const part = cursor.rows.slice(from, from + rows);
    const total = cursor.rows.length;
    const more = part.length > 0 && part.length === rows;
    return { cursor, part, total, next: more ? `${id}:${from + part.length}` : undefined };
  }

  close(text: string): void {
    const [id = ''] = text.split(':');
    const cursor = this.#open.get(id);
    if (!cursor) return;
    this.#open.delete(id);
    if (cursor.reader === 'caller') this.#ofCallers -= 1;
    clearTimeout(cursor.timer);
    cursor.release();
  }

  closeAll(): void {
    for (const id of [...this.#open.keys()]) this.close(id);
  }

  /** A connection whose transaction keeps the state. */
  #pinned(): PinnedState {
    let reader: DocumentReader | undefined;
    return {
      pin: () => {
        const database = openForReading(this.#folder);
        reader = new DocumentReader(database);
        database.exec('BEGIN');
        // The state is taken by the first read.
        reader.log(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 1);
        return reader;
      },
      found: () => {},
      read: (row) => reader?.byKey(row.index, row.key),
      release: () => reader?.database.close(),
    };
  }

  /** Documents in memory have no older states: what was found is copied. */
  #copied(): PinnedState {
    const copies = new Map<string, DocumentRow>();
    const place = (row: FoundRow): string => `${row.index} ${row.key}`;
    return {
      pin: () => this.#present,
      found: (rows) => {
        for (const row of rows.slice(0, rows.length)) {
          const document = this.#present.byKey(row.index, row.key);
          if (document) copies.set(place(row), document);
        }
      },
      read: (row) => copies.get(place(row)),
      release: () => copies.clear(),
    };
  }

  #expiry(id: string): NodeJS.Timeout {
    return setTimeout(() => this.close(id), LIFETIME).unref();
  }
}
