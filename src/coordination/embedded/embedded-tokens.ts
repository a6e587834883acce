import { parseJson } from '../../json/lossless-json.ts';
import type { Tokens } from '../coordination.ts';
import type { CoordinationDatabase, CoordinationStatement } from './coordination-database.ts';

interface CachedToken {
  /** JSON text, so that every reader gets a copy of its own. */
  readonly value: string;
  expires: number;
  /** Expiry as the database has it. */
  storedExpires: number;
}

/** Tokens kept in memory in front of the database; the least recently used go first. */
const CACHE_SIZE = 20_000;
/**
 * A touch that lengthens a life by less than this (milliseconds) is written when the token leaves the
 * cache, or at close.
 */
const TOUCH_GRANULARITY = 1000;
/** Expired rows that one sweep removes at most. */
const SWEEP_SIZE = 1000;
/** Sorts after every character that may follow a prefix. */
const LAST_CHARACTER = '\u{10FFFF}';

export class EmbeddedTokens implements Tokens {
  readonly #database: CoordinationDatabase;
  readonly #now: () => number;
  readonly #cache = new Map<string, CachedToken>();
  readonly #insert: CoordinationStatement;
  readonly #select: CoordinationStatement;
  readonly #delete: CoordinationStatement;
  readonly #deleteRange: CoordinationStatement;
  readonly #countRange: CoordinationStatement;
  readonly #updateExpiry: CoordinationStatement;
  readonly #deleteExpired: CoordinationStatement;

  constructor(database: CoordinationDatabase, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#insert = database.prepare('INSERT OR REPLACE INTO tokens (key, value, expires) VALUES (?, ?, ?)');
    this.#select = database.prepare('SELECT value, expires FROM tokens WHERE key = ?');
    this.#delete = database.prepare('DELETE FROM tokens WHERE key = ?');
    this.#deleteRange = database.prepare('DELETE FROM tokens WHERE key BETWEEN ? AND ?');
    this.#countRange = database.prepare(
      'SELECT count(*) AS living FROM tokens WHERE key BETWEEN ? AND ? AND expires > ?',
    );
    this.#updateExpiry = database.prepare('UPDATE tokens SET expires = ? WHERE key = ?');
    this.#deleteExpired = database.prepare(
      'DELETE FROM tokens WHERE key IN (SELECT key FROM tokens WHERE expires <= ? ORDER BY expires LIMIT ?) RETURNING key',
    );
  }

  async put(key: string, value: unknown, lifetime: number): Promise<void> {
    const expires = this.#now() + lifetime;
    const text = JSON.stringify(value) ?? 'null';
    this.#insert.run(key, text, expires);
    this.#remember(key, { value: text, expires, storedExpires: expires });
  }

  async get(key: string): Promise<unknown> {
    const token = this.#living(key);
    return token === undefined ? undefined : parseJson(token.value);
  }

  async take(key: string): Promise<unknown> {
    const token = this.#living(key);
    if (token === undefined) return undefined;
    this.#forget(key);
    return parseJson(token.value);
  }

  async remove(key: string): Promise<boolean> {
    if (this.#living(key) === undefined) return false;
    this.#forget(key);
    return true;
  }

  async removeWithPrefix(prefix: string): Promise<number> {
    this.writeBack();
    const last = prefix + LAST_CHARACTER;
    const living = this.#countRange.get(prefix, last, this.#now())?.living;
    this.#deleteRange.run(prefix, last);
    for (const key of this.#cache.keys()) if (key.startsWith(prefix)) this.#cache.delete(key);
    return Number(living);
  }

  async touch(key: string, lifetime: number): Promise<boolean> {
    const token = this.#living(key);
    if (token === undefined) return false;
    token.expires = this.#now() + lifetime;
    const gained = token.expires - token.storedExpires;
    if (gained < 0 || gained >= TOUCH_GRANULARITY) this.#storeExpiry(key, token);
    return true;
  }

  /** Removes expired tokens, a bounded number a call; whether there may be more. */
  sweep(): boolean {
    this.writeBack();
    const removed = this.#deleteExpired.all(this.#now(), SWEEP_SIZE);
    for (const { key } of removed) this.#cache.delete(String(key));
    return removed.length === SWEEP_SIZE;
  }

  /** Writes the expiries that touches left in memory. */
  writeBack(): void {
    const touched = [...this.#cache].filter(([, token]) => token.expires !== token.storedExpires);
    if (touched.length === 0) return;
    this.#database.transaction(() => {
      for (const [key, token] of touched) this.#storeExpiry(key, token);
    });
  }

  #living(key: string): CachedToken | undefined {
    this.#database.assertOpen();
    const token = this.#cache.get(key) ?? this.#load(key);
    if (token === undefined) return undefined;
    if (token.expires > this.#now()) {
      this.#remember(key, token);
      return token;
    }
    this.#forget(key);
    return undefined;
  }

  #load(key: string): CachedToken | undefined {
    const row = this.#select.get(key);
    if (row === undefined) return undefined;
    const expires = Number(row.expires);
    return { value: String(row.value), expires, storedExpires: expires };
  }

  /** Caches the token as the most recently used. */
  #remember(key: string, token: CachedToken): void {
    this.#cache.delete(key);
    this.#cache.set(key, token);
    if (this.#cache.size <= CACHE_SIZE) return;
    for (const [oldKey, old] of this.#cache) {
      if (old.expires !== old.storedExpires) this.#storeExpiry(oldKey, old);
      this.#cache.delete(oldKey);
      break;
    }
  }

  #forget(key: string): void {
    this.#delete.run(key);
    this.#cache.delete(key);
  }

  #storeExpiry(key: string, token: CachedToken): void {
    this.#updateExpiry.run(token.expires, key);
    token.storedExpires = token.expires;
  }
}
