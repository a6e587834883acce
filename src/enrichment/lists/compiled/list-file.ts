import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { ListVersion } from '../list-entry.ts';
import { KEY_TABLES } from './entry-keys.ts';

/** `Trid` in ASCII. It is written after everything else: a file without it was not completed. */
const MARK = 0x54726964;
/** Version of the tables. Files of another one are compiled again. */
const TABLES_VERSION = 1;

/** Summary of a compiled list. */
export interface ListSummary {
  /** Differs for each compilation. */
  readonly id: string;
  /** Identifies the settings that a compilation depends on. */
  readonly settings: string;
  /** ISO 8601. */
  readonly compiledAt: string;
  /** Rows by table, without empty tables. */
  readonly tables: Readonly<Record<string, number>>;
  /** Types that are named by entries and have no table of their own, at most 100. */
  readonly types: readonly string[];
  /** Markings of entries, with the number of entries. */
  readonly markings: Readonly<Record<string, number>>;
  /** Entries that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly version: ListVersion;
  /** State of the local file that was read, as `signatureOf` returns it. */
  readonly source: string | undefined;
}

const KEYS = (name: string) =>
  `CREATE TABLE ${name} (key, reach INTEGER, detail INTEGER, PRIMARY KEY (key, reach, detail)) WITHOUT ROWID;`;

/** Creates the tables of a file that is compiled. */
export function createTables(database: DatabaseSync): void {
  database.exec(`
    ${KEY_TABLES.map(KEYS).join('\n')}
    CREATE TABLE ranges (id INTEGER PRIMARY KEY, first BLOB, last BLOB, parent INTEGER, detail INTEGER);
    CREATE TABLE patterns (id INTEGER PRIMARY KEY, match TEXT, type TEXT, pattern TEXT, detail INTEGER);
    CREATE TABLE details (id INTEGER PRIMARY KEY, json TEXT);
    CREATE TABLE summary (json TEXT);
  `);
}

/** Marks a file as complete. */
export function completeFile(database: DatabaseSync, summary: ListSummary): void {
  database.prepare('INSERT INTO summary VALUES (?)').run(JSON.stringify(summary));
  database.exec(`PRAGMA user_version = ${TABLES_VERSION}; PRAGMA application_id = ${MARK};`);
}

/** Page cache of each list in kilobytes: ten lists take at most 20 MB in a process. */
const CACHE = 2048;

/**
 * Opens a compiled list for reading; undefined when there is none, or not of this version.
 * @throws Error for a damaged file
 */
export function openListFile(
  path: string,
): { readonly database: DatabaseSync; readonly summary: ListSummary } | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return undefined;
  // Files are replaced, never changed: without locks for each search these take a tenth of the time.
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    if (pragma('user_version') !== TABLES_VERSION || pragma('application_id') !== MARK) {
      database.close();
      return undefined;
    }
    if (pragma('page_count') * pragma('page_size') !== size) throw new Error('its size is not that of its pages');
    database.exec(`PRAGMA cache_size = -${CACHE}`);
    const summary = JSON.parse(String(database.prepare('SELECT json FROM summary').get()?.json)) as ListSummary;
    return { database, summary };
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/** Returns the sum of the counts of a summary. */
export function sum(counts: Readonly<Record<string, number>> = {}): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
