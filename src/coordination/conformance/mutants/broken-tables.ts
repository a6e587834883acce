import { setImmediate as nextTurn } from 'node:timers/promises';
import { withMethods } from '../../../testing/with-methods.ts';
import type { Tables } from '../../coordination.ts';
import type { BrokenCoordination } from './broken-coordinations.ts';

const ABSENT = 'stores the value of exactly one of many who put it if absent';
const NAMED = 'names the tables that start so and have entries';

const broken = (fault: string, noticedBy: string, replace: (sound: Tables) => Partial<Tables>): BrokenCoordination => ({
  fault,
  area: 'tables',
  noticedBy,
  break: (sound) => ({ ...sound, tables: withMethods(sound.tables, replace(sound.tables)) }),
});

/** Faults of tables. */
export const BROKEN_TABLES: Record<string, BrokenCoordination> = {
  'put-keeps-first': broken(
    'put keeps a value that is there already',
    'stores any JSON under a key of a table, and replaces it',
    (sound) => ({
      put: async (table, key, value) => {
        await sound.putIfAbsent(table, key, value);
      },
    }),
  ),
  'put-all-one-by-one': broken(
    'putAll stores one entry after the other',
    'stores several entries at once, and every reader sees all of them or none',
    (sound) => ({
      putAll: async (table, entries) => {
        for (const [key, value] of Object.entries(entries)) await sound.put(table, key, value);
      },
    }),
  ),
  'put-all-replaces-table': broken(
    'putAll removes the entries that were there',
    'stores several entries at once, and every reader sees all of them or none',
    (sound) => ({
      putAll: async (table, entries) => {
        await sound.drop(table);
        await sound.putAll(table, entries);
      },
    }),
  ),
  'put-if-absent-overwrites': broken('putIfAbsent overwrites what is there', ABSENT, (sound) => ({
    putIfAbsent: async (table, key, value) => {
      const absent = (await sound.get(table, key)) === undefined;
      await sound.put(table, key, value);
      return absent;
    },
  })),
  'put-if-absent-never-again': broken('putIfAbsent refuses a key that was taken', ABSENT, (sound) => {
    const seen = new Set<string>();
    return {
      putIfAbsent: async (table, key, value) => {
        if (seen.has(`${table} ${key}`)) return false;
        seen.add(`${table} ${key}`);
        return sound.putIfAbsent(table, key, value);
      },
    };
  }),
  'table-take-twice': broken(
    'take reads and removes in two steps',
    'gives an entry to exactly one of many takers',
    (sound) => ({
      take: async (table, key) => {
        const value = await sound.get(table, key);
        await nextTurn();
        await sound.take(table, key);
        return value;
      },
    }),
  ),
  'table-take-keeps': broken('take leaves the entry', 'gives an entry to exactly one of many takers', (sound) => ({
    take: (table, key) => sound.get(table, key),
  })),
  'drop-by-prefix': broken(
    'drop takes its argument for a prefix',
    'drops a table whole and leaves the others',
    (sound) => ({
      drop: async (table) => {
        let removed = 0;
        for (const name of await sound.list(table)) removed += await sound.drop(name);
        return removed;
      },
    }),
  ),
  'tables-not-listed-by-prefix': broken('list ignores the prefix', NAMED, (sound) => ({ list: () => sound.list('') })),
  'tables-list-is-pattern': broken('list takes `*` for a wildcard', NAMED, (sound) => ({
    list: (prefix) => sound.list(prefix.replace('*', '')),
  })),
  'table-forgets': broken(
    'the entries of a table are gone after a restart',
    'has its entries again after a restart',
    () => {
      const memory = new Map<string, Map<string, unknown>>();
      const tableOf = (table: string) => memory.get(table) ?? new Map<string, unknown>();
      return {
        putAll: async (table, entries) => {
          memory.set(table, new Map([...tableOf(table), ...Object.entries(entries)]));
        },
        take: async (table, key) => {
          const value = tableOf(table).get(key);
          tableOf(table).delete(key);
          return value;
        },
        entries: async (table) => tableOf(table),
      };
    },
  ),
};
