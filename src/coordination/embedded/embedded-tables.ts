import { parseJson } from '../../json/lossless-json.ts';
import type { Tables } from '../coordination.ts';
import type { CoordinationDatabase } from './coordination-database.ts';
import { namesWithPrefix } from './names-with-prefix.ts';

/** Each entry is a row of `table_entries`. */
export function embeddedTables(database: CoordinationDatabase): Tables {
  const insert = database.prepare(
    `INSERT INTO table_entries (name, key, value) VALUES (?, ?, ?)
     ON CONFLICT (name, key) DO UPDATE SET value = excluded.value`,
  );
  const insertAbsent = database.prepare('INSERT OR IGNORE INTO table_entries (name, key, value) VALUES (?, ?, ?)');
  const select = database.prepare('SELECT value FROM table_entries WHERE name = ? AND key = ?');
  const remove = database.prepare('DELETE FROM table_entries WHERE name = ? AND key = ? RETURNING value');
  const selectAll = database.prepare('SELECT key, value FROM table_entries WHERE name = ? ORDER BY key');
  const count = database.prepare('SELECT count(*) AS size FROM table_entries WHERE name = ?');
  const removeAll = database.prepare('DELETE FROM table_entries WHERE name = ?');
  const nextName = database.prepare('SELECT min(name) AS name FROM table_entries WHERE name >= ?');
  const nextNameAfter = database.prepare('SELECT min(name) AS name FROM table_entries WHERE name > ?');
  const storedValue = (row: ReturnType<typeof select.get>) => row && parseJson(String(row.value));
  return {
    async put(table, key, value) {
      insert.run(table, key, textOf(value));
    },
    async putAll(table, entries) {
      const texts = Object.entries(entries).map(([key, value]) => [key, textOf(value)] as const);
      database.transaction(() => {
        for (const [key, text] of texts) insert.run(table, key, text);
      });
    },
    putIfAbsent: async (table, key, value) => insertAbsent.run(table, key, textOf(value)) === 1,
    get: async (table, key) => storedValue(select.get(table, key)),
    take: async (table, key) => storedValue(remove.get(table, key)),
    entries: async (table) =>
      new Map(selectAll.all(table).map((row) => [String(row.key), parseJson(String(row.value))] as const)),
    size: async (table) => Number(count.get(table)?.size),
    drop: async (table) => removeAll.run(table),
    list: async (prefix) => namesWithPrefix(prefix, nextName, nextNameAfter),
  };
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
