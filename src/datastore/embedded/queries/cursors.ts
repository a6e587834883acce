import { randomUUID } from 'node:crypto';
import { InvalidInput, TooManyRequests } from '../../../errors/errors.ts';
import type { SqlValue } from '../columns/column-database.ts';
import { openForReading } from '../documents/document-database.ts';
import { DocumentReader, type DocumentRow } from '../documents/document-reader.ts';
import type { FoundRow, FoundRows } from './pages.ts';

export interface FoundDocument extends DocumentRow {
  readonly index: number;
  /** True if it was written after the search, so that access has to be checked again. */
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
  readonly next: string | undefined;
}

interface Cursor {
  readonly reader: CursorReader;
  readonly rows: FoundRows;
  readonly state: PinnedState;
  timer: NodeJS.Timeout;
}

const LIFETIME = 5 * 60_000;
/** The limit for callers, who may leave cursors open. Each holds a connection and what was found. */
const MAX_OPEN = 500;

/** Characters of the documents of one page; a larger page would not fit into the memory of the thread. */
export const MAX_PAGE_CHARACTERS = 64_000_000;

/** A caller may never return; the program closes its cursors and is not limited. */
export type CursorReader = 'caller' | 'program';

/** Holds results that are read page by page and do not change while the collection does. */
export class Cursors {
  readonly #folder: string;
  readonly #present: DocumentReader;
  readonly #open = new Map<string, Cursor>();
  #ofCallers = 0;

  constructor(folder: string, present: DocumentReader) {
    this.#folder = folder;
    this.#present = present;
  }

  /** Keeps the state that `find` pins, and what it finds there. Throws `too_many_cursors`. */
  async open(
    reader: CursorReader,
    find: (pin: () => DocumentReader) => Promise<FoundRows>,
  ): Promise<{ cursor: string; total: number }> {
    if (reader === 'caller' && this.#ofCallers >= MAX_OPEN) {
      const message = `${MAX_OPEN} cursors are open, which is the limit. Read one to its end, or wait 5 minutes.`;
      throw new TooManyRequests('too_many_cursors', message, { retryAfter: LIFETIME / 1000 });
    }
    const state = new PinnedState(this.#folder, this.#present);
    try {
      const rows = await find(() => state.pin());
      state.keep(rows);
      const id = randomUUID();
      this.#open.set(id, { reader, rows, state, timer: this.#expiry(id) });
      if (reader === 'caller') this.#ofCallers += 1;
      return { cursor: `${id}:0`, total: rows.length };
    } catch (error) {
      state.release();
      throw error;
    }
  }

  /** Returns a cursor's page, always the same, shorter for large documents; throws `unknown_cursor`. */
  read(text: string, rows: number): CursorPage {
    const { cursor, id, from, part } = this.#part(text, rows);
    const documents: FoundDocument[] = [];
    let characters = 0;
    let read = 0;
    for (const row of part) {
      const document = cursor.state.read(row);
      if (document) documents.push({ ...document, index: row.index, changed: false });
      read += 1;
      characters += document?.json.length ?? 0;
      if (characters > MAX_PAGE_CHARACTERS) break;
    }
    const next = read < part.length ? `${id}:${from + read}` : this.#next(id, from, part.length, rows);
    return { documents, total: cursor.rows.length, next };
  }

  /** Reads a page like `read`, without the documents. */
  found(text: string, rows: number): FoundPart {
    const { id, from, part } = this.#part(text, rows);
    return { rows: part, next: this.#next(id, from, part.length, rows) };
  }

  close(text: string): void {
    const [id = ''] = text.split(':');
    const cursor = this.#open.get(id);
    if (!cursor) return;
    this.#open.delete(id);
    if (cursor.reader === 'caller') this.#ofCallers -= 1;
    clearTimeout(cursor.timer);
    cursor.state.release();
  }

  closeAll(): void {
    for (const id of [...this.#open.keys()]) this.close(id);
  }

  #part(text: string, rows: number) {
    const [id = '', start = ''] = text.split(':');
    const cursor = this.#open.get(id);
    if (!cursor || !/^\d{1,9}$/.test(start)) {
      const message = 'The cursor is not known, or was not used for 5 minutes. Start again.';
      throw new InvalidInput('unknown_cursor', message, { at: 'cursor' });
    }
    clearTimeout(cursor.timer);
    cursor.timer = this.#expiry(id);
    const from = Number(start);
    return { cursor, id, from, part: cursor.rows.slice(from, from + rows) };
  }

  /** Returns the cursor after a part, or closes it at the end. */
  #next(id: string, from: number, size: number, rows: number): string | undefined {
    if (size > 0 && size === rows) return `${id}:${from + size}`;
    this.close(id);
    return undefined;
  }

  #expiry(id: string): NodeJS.Timeout {
    return setTimeout(() => this.close(id), LIFETIME).unref();
  }
}

/** Keeps documents as they are: in a transaction, or as copies of what was found in memory. */
class PinnedState {
  readonly #folder: string;
  readonly #present: DocumentReader;
  readonly #copies = new Map<string, DocumentRow | undefined>();
  #pinned: DocumentReader | undefined;

  constructor(folder: string, present: DocumentReader) {
    this.#folder = folder;
    this.#present = present;
  }

  pin(): DocumentReader {
    if (this.#folder === 'memory') return this.#present;
    this.#pinned = new DocumentReader(openForReading(this.#folder));
    this.#pinned.database.exec('BEGIN');
    // The first read takes the state.
    this.#pinned.log(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 1);
    return this.#pinned;
  }

  keep(rows: FoundRows): void {
    if (this.#pinned) return;
    for (const { index, key } of rows.slice(0, rows.length))
      this.#copies.set(`${index} ${key}`, this.#present.byKey(index, key));
  }

  read({ index, key }: FoundRow): DocumentRow | undefined {
    return this.#pinned ? this.#pinned.byKey(index, key) : this.#copies.get(`${index} ${key}`);
  }

  release(): void {
    this.#pinned?.database.close();
    this.#copies.clear();
  }
}
