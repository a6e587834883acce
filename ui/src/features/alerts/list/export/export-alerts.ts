import { valueAt } from '../../../../json/members.ts';
import { csvLine } from './csv.ts';

/** Alerts of a file. */
export const MAX_EXPORTED = 50_000;
/** Characters of a file; more would take the memory of the tab. */
const MAX_CHARACTERS = 300_000_000;
const CSV_ROWS = 1_000;
/** Whole alerts may have megabytes each. */
const WHOLE_ROWS = 200;

/** A page of alerts; `next` is the cursor of the page behind it. */
export interface ExportPage {
  readonly items: readonly object[];
  readonly next: string | undefined;
}

export interface Export {
  /** Reads a page; `*` is the cursor of the first one. */
  readonly readPage: (cursor: string, rows: number, signal: AbortSignal) => Promise<ExportPage>;
  /** Fields of the columns of a CSV; undefined: whole alerts as NDJSON. */
  readonly fields?: readonly string[] | undefined;
  /** Called with the number of alerts read so far. */
  readonly onProgress: (count: number) => void;
  readonly maxCharacters?: number;
}

export interface ExportedFile {
  readonly content: Blob;
  readonly name: string;
  /** Alerts in the file. */
  readonly count: number;
  /** True: more alerts match than the file has. */
  readonly isCut: boolean;
}

/**
 * Reads alerts into a file, page by page; a page is text no longer than until it is part of the file.
 * @throws the reason of the signal, when it is aborted
 */
export async function exportAlerts(
  { readPage, fields, onProgress, maxCharacters = MAX_CHARACTERS }: Export,
  signal: AbortSignal,
): Promise<ExportedFile> {
  const columns = fields && [...new Set(fields)];
  const lineOf = (item: object) =>
    columns === undefined ? `${JSON.stringify(item)}\n` : csvLine(columns.map((field) => valueAt(item, field)));
  const type = columns === undefined ? 'application/x-ndjson' : 'text/csv;charset=utf-8';
  const parts: Blob[] = columns === undefined ? [] : [new Blob([csvLine(columns)])];
  const rows = columns === undefined ? WHOLE_ROWS : CSV_ROWS;
  let [count, characters] = [0, 0];
  let cursor: string | undefined = '*';
  while (cursor !== undefined && count < MAX_EXPORTED && characters < maxCharacters) {
    signal.throwIfAborted();
    const page: ExportPage = await readPage(cursor, rows, signal);
    const text = page.items.map(lineOf).join('');
    parts.push(new Blob([text]));
    count += page.items.length;
    characters += text.length;
    onProgress(count);
    cursor = page.items.length === 0 ? undefined : page.next;
  }
  signal.throwIfAborted();
  const name = columns === undefined ? 'alerts.ndjson' : 'alerts.csv';
  return { content: new Blob(parts, { type }), name, count, isCut: cursor !== undefined };
}
