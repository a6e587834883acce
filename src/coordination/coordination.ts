import { parseJson } from '../json/lossless-json.ts';

/**
 * PORT: short-lived state that the processes of an installation share; times are milliseconds.
 * Every operation is atomic; state survives a restart unless it says otherwise. `conformance/` tests every adapter.
 */
export interface Coordination {
  readonly tokens: Tokens;
  readonly counters: Counters;
  readonly locks: Locks;
  readonly queues: Queues;
  readonly tables: Tables;
  readonly events: Events;
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>;
  close(): Promise<void>;
}

/** Values with an expiry. `value` is any JSON. */
export interface Tokens {
  put(key: string, value: unknown, lifetime: number): Promise<void>;
  /** Undefined once expired or removed. */
  get(key: string): Promise<unknown>;
  /** Reads and removes; of several callers exactly one gets it. */
  take(key: string): Promise<unknown>;
  /** Removes the token and returns true when there was one. */
  remove(key: string): Promise<boolean>;
  /** All keys that start so; how many. */
  removeWithPrefix(prefix: string): Promise<number>;
  /**
   * The tokens whose keys start so, in batches in any order. One that lives all the time is there once
   * or more often. May look at every key, and lets others work between two batches.
   */
  scan(prefix: string): AsyncIterable<readonly StoredToken[]>;
}

export interface StoredToken {
  readonly key: string;
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Counts that forget. A crash may lose the increments of the last second. */
export interface Counters {
  /** Adds and returns the count. `lifetime` runs from the first increment, with `renew` from the last. */
  increment(
    key: string,
    lifetime: number,
    options?: { readonly by?: number; readonly renew?: boolean },
  ): Promise<number>;
  get(key: string): Promise<number>;
  /** Forgets the count and returns true when there was one. */
  remove(key: string): Promise<boolean>;
  /** The counts whose keys start so, as `Tokens.scan`. */
  scan(prefix: string): AsyncIterable<readonly StoredCount[]>;
  /**
   * Takes one of `limit` slots for at most `lifetime`; undefined when all are taken.
   * `slot` names it (default: a new one); one that is held already is renewed. Slots need not survive a restart.
   */
  enter(key: string, limit: number, lifetime: number, slot?: string): Promise<string | undefined>;
  leave(key: string, slot: string): Promise<void>;
}

export interface StoredCount {
  readonly key: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Lock {
  /** Lengthens the lease; false when it was lost. */
  renew(lease: number): Promise<boolean>;
  /** Gives it back; a lock that was lost to another holder is left alone. */
  release(): Promise<void>;
}
/** A lock ends with its lease, or with its holder's process where the adapter notices that. */
export interface Locks {
  /** Acquires the lock. Undefined when another holder keeps it for `wait` (default 0). */
  acquire(name: string, lease: number, options?: { readonly wait?: number }): Promise<Lock | undefined>;
}

export interface QueueItem<T> {
  readonly item: T;
  /** Removes it for good, also late; without it the item returns to its place after the visibility time. */
  acknowledge(): Promise<void>;
  /** Returns the item to its old position, unless it was delivered again meanwhile. */
  giveBack(): Promise<void>;
}
/** Reads the stored form of an item; undefined for one that is not JSON and must not block others. */
export function readQueueItem(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export interface WaitingItem<T> {
  readonly item: T;
  /** The id that it was pushed with. */
  readonly id?: string;
  readonly priority: number;
  /** Milliseconds since 1970. */
  readonly pushedAt: number;
}

/** Priorities of a queue that `oldest` looks at, the highest ones. */
export const MAX_PRIORITIES = 2000;

export interface Queues {
  /**
   * Items survive a crash once the promise resolves. First in, first out; higher `priority` first.
   * `ids` name the items, one each: an id of an item that waits or is taken is not pushed again.
   */
  push(
    queue: string,
    items: readonly unknown[],
    options?: { readonly priority?: number; readonly ids?: readonly string[] },
  ): Promise<void>;
  /** Takes up to `max` (1) items for `visibility` (60,000), and waits up to `wait` (0) for the first. */
  take<T>(
    queue: string,
    options?: { readonly max?: number; readonly wait?: number; readonly visibility?: number },
  ): Promise<readonly QueueItem<T>[]>;
  /** Removes one waiting item for good and returns it; undefined when none of that id waits. */
  takeById<T>(queue: string, id: string): Promise<T | undefined>;
  /** Looks at up to `max` (1) waiting items without taking them: those taken next, or last, first. */
  peek<T>(
    queue: string,
    options?: { readonly max?: number; readonly from?: 'next' | 'last' },
  ): Promise<readonly WaitingItem<T>[]>;
  /** Items that wait to be taken; those taken and not yet acknowledged do not count. */
  length(queue: string): Promise<number>;
  /** Time at which the item was pushed that waits longest, of any priority; undefined when none waits. */
  oldest(queue: string): Promise<number | undefined>;
  /** Removes all items, the taken ones too; how many. */
  clear(queue: string): Promise<number>;
  /** Names of the queues that start so and hold items, waiting or taken, sorted. May look at every key. */
  list(prefix: string): Promise<readonly string[]>;
}

/** Maps of any JSON without an expiry. A change survives a crash once the promise resolves. */
export interface Tables {
  put(table: string, key: string, value: unknown): Promise<void>;
  /** Stores all entries or none. */
  putAll(table: string, entries: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns true when the key was absent; of several callers exactly one stores its value. */
  putIfAbsent(table: string, key: string, value: unknown): Promise<boolean>;
  /** Undefined when absent. */
  get(table: string, key: string): Promise<unknown>;
  /** Reads and removes; of several callers exactly one gets it. */
  take(table: string, key: string): Promise<unknown>;
  entries(table: string): Promise<ReadonlyMap<string, unknown>>;
  size(table: string): Promise<number>;
  /** Removes the table; returns the number of entries that it had. */
  drop(table: string): Promise<number>;
  /** Names of the tables that start so and have entries, sorted. May look at every key. */
  list(prefix: string): Promise<readonly string[]>;
}

/** Publish and subscribe without storage. Every listener gets its own copy of the JSON payload. */
export interface Events {
  publish(channel: string, payload: unknown): Promise<void>;
  /** `pattern` with `*`. Events of one publisher arrive in order. Resolves once listening, to its end. */
  subscribe(pattern: string, listener: (channel: string, payload: unknown) => void): Promise<() => Promise<void>>;
}
