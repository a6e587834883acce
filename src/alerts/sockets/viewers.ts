import type { Coordination } from '../../coordination/coordination.ts';
import { KeyedMutex } from '../../datastore/port/keyed-mutex.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { Unavailable } from '../../errors/errors.ts';

export interface ViewersDependencies {
  readonly tokens: Pick<Coordination['tokens'], 'get' | 'put' | 'remove'>;
  readonly locks: Pick<Coordination['locks'], 'acquire'>;
  /** Milliseconds since 1970. Default: the present time. */
  readonly now?: () => number;
}

/** One connection that shows a record. */
interface Viewing {
  readonly username: string;
  /** Milliseconds since 1970 at which it lapses, unless it is renewed. */
  readonly until: number;
}
type Viewings = Map<string, Viewing>;

/** Milliseconds for which a viewer counts: those of a killed process are gone after this time. */
const LIFETIME = 90_000;
/** Connections that count at one record: its entry is read and written as a whole. */
const MAX_VIEWINGS = 1000;
const LEASE = 10_000;
const MAX_WAIT = 5_000;

/** Keeps the viewers of records, by connection, for all processes. */
export class Viewers {
  readonly #dependencies: ViewersDependencies;
  readonly #turns = new KeyedMutex();
  readonly #now: () => number;

  constructor(dependencies: ViewersDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Returns the users who look at a record, sorted. @throws Unavailable */
  async of(id: string): Promise<readonly string[]> {
    return namesOf(await this.#living(id));
  }

  /** Adds or renews a connection; returns the users who look at the record. @throws Unavailable */
  add(id: string, connection: string, username: string): Promise<readonly string[]> {
    return this.#change(id, (viewings) => {
      const viewing = { username, until: this.#now() + LIFETIME };
      if (viewings.size < MAX_VIEWINGS || viewings.has(connection)) viewings.set(connection, viewing);
    });
  }

  /** Removes a connection; returns the users who still look at the record. @throws Unavailable */
  remove(id: string, connection: string): Promise<readonly string[]> {
    return this.#change(id, (viewings) => viewings.delete(connection));
  }

  #change(id: string, change: (viewings: Viewings) => void): Promise<readonly string[]> {
    const { tokens, locks } = this.#dependencies;
    return this.#turns.take(id, async () => {
      const lock = await locks.acquire(keyOf(id), LEASE, { wait: MAX_WAIT });
      if (lock === undefined) throw new Unavailable('viewers_busy', `The viewers of ${id} are being changed.`);
      try {
        const viewings = await this.#living(id);
        change(viewings);
        if (viewings.size === 0) await tokens.remove(keyOf(id));
        else await tokens.put(keyOf(id), Object.fromEntries(viewings), LIFETIME);
        return namesOf(viewings);
      } finally {
        await lock.release();
      }
    });
  }

  async #living(id: string): Promise<Viewings> {
    const stored = await this.#dependencies.tokens.get(keyOf(id));
    const viewings = isObject(stored) ? (Object.entries(stored) as [string, Viewing][]) : [];
    const now = this.#now();
    return new Map(viewings.filter(([, { until }]) => until > now));
  }
}

function keyOf(id: string): string {
  return `viewers:${id}`;
}

function namesOf(viewings: Viewings): readonly string[] {
  return [...new Set([...viewings.values()].map(({ username }) => username))].sort();
}
