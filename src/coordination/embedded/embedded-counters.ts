import { randomUUID } from 'node:crypto';
import type { Counters } from '../coordination.ts';
import type { CoordinationDatabase, CoordinationStatement } from './coordination-database.ts';

interface Count {
  count: number;
  expires: number;
}

/** Milliseconds after which changed counters are written; so much a crash may lose. */
const WRITE_DELAY = 1000;
/** Entries that one sweep looks at, at most. */
const SWEEP_SIZE = 5000;

/** Counts in memory, written behind; places in memory only, for who held them is gone after a restart. */
export class EmbeddedCounters implements Counters {
  readonly #database: CoordinationDatabase;
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();
  readonly #places = new Map<string, Map<string, number>>();
  readonly #changed = new Set<string>();
  #writing: NodeJS.Timeout | undefined;
  #sweeping: Iterator<[string, Count]> | undefined;
  readonly #insert: CoordinationStatement;
  readonly #delete: CoordinationStatement;

  constructor(database: CoordinationDatabase, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#insert = database.prepare('INSERT OR REPLACE INTO counters (key, count, expires) VALUES (?, ?, ?)');
    this.#delete = database.prepare('DELETE FROM counters WHERE key = ?');
    database.prepare('DELETE FROM counters WHERE expires <= ?').run(now());
    for (const row of database.prepare('SELECT key, count, expires FROM counters').all()) {
      this.#counts.set(String(row.key), { count: Number(row.count), expires: Number(row.expires) });
    }
  }

  async increment(
    key: string,
    lifetime: number,
    options: { readonly by?: number; readonly renew?: boolean } = {},
  ): Promise<number> {
    this.#database.assertOpen();
    const by = options.by ?? 1;
    const present = this.#living(key);
    const count = (present?.count ?? 0) + by;
    if (present === undefined) {
      this.#counts.set(key, { count, expires: this.#now() + lifetime });
    } else {
      present.count = count;
      if (options.renew === true) present.expires = this.#now() + lifetime;
    }
    this.#markChanged(key);
    return count;
  }

  async get(key: string): Promise<number> {
    this.#database.assertOpen();
    return this.#living(key)?.count ?? 0;
  }

  async reset(key: string): Promise<void> {
    this.#database.assertOpen();
    if (this.#counts.delete(key)) this.#markChanged(key);
  }

  async enter(key: string, limit: number, lifetime: number, place: string = randomUUID()): Promise<string | undefined> {
    this.#database.assertOpen();
    const now = this.#now();
    const places = this.#places.get(key) ?? new Map<string, number>();
    // Only a full house has to know who overstayed.
    const isFull = () => places.size >= limit && !places.has(place);
    if (isFull()) {
      for (const [place, expires] of places) if (expires <= now) places.delete(place);
    }
    if (isFull()) return undefined;
    places.set(place, now + lifetime);
    this.#places.set(key, places);
    return place;
  }

  async leave(key: string, place: string): Promise<void> {
    const places = this.#places.get(key);
    if (places?.delete(place) && places.size === 0) this.#places.delete(key);
  }

  /** Forgets expired counters, looking at a bounded number a call; whether there are more to look at. */
  sweep(): boolean {
    const now = this.#now();
    this.#sweeping ??= this.#counts.entries();
    for (let seen = 0; seen < SWEEP_SIZE; seen += 1) {
      const next = this.#sweeping.next();
      if (next.done) {
        this.#sweeping = undefined;
        this.#sweepPlaces(now);
        return false;
      }
      const [key, { expires }] = next.value;
      if (expires > now) continue;
      this.#counts.delete(key);
      this.#markChanged(key);
    }
    return true;
  }

  /** Writes what has changed. */
  writeBack(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    if (this.#changed.size === 0) return;
    this.#database.transaction(() => {
      for (const key of this.#changed) {
        const count = this.#counts.get(key);
        if (count === undefined) this.#delete.run(key);
        else this.#insert.run(key, count.count, count.expires);
      }
    });
    this.#changed.clear();
  }

  #sweepPlaces(now: number): void {
    for (const [key, places] of this.#places) {
      for (const [place, expires] of places) if (expires <= now) places.delete(place);
      if (places.size === 0) this.#places.delete(key);
    }
  }

  #living(key: string): Count | undefined {
    const count = this.#counts.get(key);
    if (count === undefined || count.expires > this.#now()) return count;
    this.#counts.delete(key);
    this.#markChanged(key);
    return undefined;
  }

  #markChanged(key: string): void {
    this.#changed.add(key);
    this.#writing ??= setTimeout(() => this.#writeBackLater(), WRITE_DELAY).unref();
  }

  /** A failed write keeps its keys and is tried again with the next change; `health` tells of it. */
  #writeBackLater(): void {
    this.#writing = undefined;
    if (this.#database.closed) return;
    try {
      this.writeBack();
    } catch {
      this.#writing = setTimeout(() => this.#writeBackLater(), WRITE_DELAY).unref();
    }
  }
}
