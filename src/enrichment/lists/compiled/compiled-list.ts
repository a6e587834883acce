import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { KEY_TABLES, type KeyTable } from './entry-keys.ts';
import { type ListSummary, openListFile } from './list-file.ts';
import { type Pattern, PatternSet } from './pattern-set.ts';
import type { FoundBy, Probe, SelectorKeys } from './selector-keys.ts';
import { NO_DETAILS, readDetails, type StoredDetails } from './stored-details.ts';

/** An entry that matches a value. */
export interface FoundEntry {
  readonly by: FoundBy;
  readonly details: StoredDetails;
}

/** Maximum number of entries that are read for one value; a list with more of them repeats itself. */
const MAX_FOUND = 100;

interface KeyRow {
  readonly detail: number;
  readonly json: string | null;
}

interface RangeRow extends KeyRow {
  readonly last: Uint8Array;
  readonly parent: number | null;
}

/**
 * A compiled list that is open for reading. Searches take some microseconds for each key, and read
 * the file; a file that is replaced stays readable until it is closed.
 */
export class CompiledList {
  readonly summary: ListSummary;
  readonly #database: DatabaseSync;
  readonly #byKey: Partial<Record<KeyTable, StatementSync>> = {};
  #nearest: StatementSync | undefined;
  #around: StatementSync | undefined;
  #patterns: PatternSet | undefined;

  private constructor(database: DatabaseSync, summary: ListSummary) {
    this.#database = database;
    this.summary = summary;
    const join = 'LEFT JOIN details ON details.id = entry.detail';
    for (const table of KEY_TABLES) {
      if (summary.tables[table] === undefined) continue;
      this.#byKey[table] = database.prepare(
        `SELECT detail, json FROM ${table} AS entry ${join} WHERE key = ? AND reach >= ? LIMIT ${MAX_FOUND}`,
      );
    }
    if (summary.tables.ranges !== undefined) {
      const select = `SELECT last, parent, detail, json FROM ranges AS entry ${join}`;
      this.#nearest = database.prepare(`${select} WHERE first <= ? ORDER BY first DESC, entry.id DESC LIMIT 1`);
      this.#around = database.prepare(`${select} WHERE entry.id = ?`);
    }
  }

  /** Returns undefined when there is no file, or one of another version. @throws Error for a damaged file */
  static open(path: string): CompiledList | undefined {
    const file = openListFile(path);
    return file === undefined ? undefined : new CompiledList(file.database, file.summary);
  }

  /** Returns the entries that match, those for the whole value first. @throws Error for a damaged file */
  find({ probes, text, type }: SelectorKeys): readonly FoundEntry[] {
    const found: FoundEntry[] = [];
    const seen = new Set<number>();
    const take = (by: FoundBy, detail: number, json: string | null) => {
      if (seen.has(detail) || found.length >= MAX_FOUND) return;
      seen.add(detail);
      found.push({ by, details: detail === 0 ? NO_DETAILS : readDetails(json) });
    };
    for (const probe of probes) {
      for (const { detail, json } of this.#rowsOf(probe)) take(probe.by, detail, json);
    }
    if (this.summary.tables.patterns !== undefined) {
      for (const { detail } of this.#loadPatterns().find(text, type)) take('pattern', detail, this.#detail(detail));
    }
    return found;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #rowsOf({ table, key, reach }: Probe): readonly KeyRow[] {
    if (table === 'ranges') return typeof key === 'string' ? [] : this.#rangesAround(key);
    return (this.#byKey[table]?.all(key, reach) ?? []) as unknown as readonly KeyRow[];
  }

  /** Networks are nested: the search visits all that contain the address, the smallest first. */
  #rangesAround(address: Uint8Array): readonly KeyRow[] {
    const rows: KeyRow[] = [];
    let row = this.#nearest?.get(address) as unknown as RangeRow | undefined;
    while (row !== undefined && rows.length < MAX_FOUND) {
      if (Buffer.compare(row.last, address) >= 0) rows.push(row);
      row = row.parent === null ? undefined : (this.#around?.get(row.parent) as unknown as RangeRow | undefined);
    }
    return rows;
  }

  #loadPatterns(): PatternSet {
    this.#patterns ??= new PatternSet(
      this.#database
        .prepare('SELECT match, type, pattern, detail FROM patterns')
        .all() as unknown as readonly Pattern[],
    );
    return this.#patterns;
  }

  #detail(id: number): string | null {
    if (id === 0) return null;
    return String(this.#database.prepare('SELECT json FROM details WHERE id = ?').get(id)?.json);
  }
}
