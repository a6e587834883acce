import type { Coordination } from '../coordination.ts';
import { CoordinationDatabase } from './coordination-database.ts';
import { embeddedCounters } from './embedded-counters.ts';
import { embeddedEvents } from './embedded-events.ts';
import { embeddedLocks } from './embedded-locks.ts';
import { embeddedQueues } from './embedded-queues.ts';
import { embeddedTables } from './embedded-tables.ts';
import { embeddedTokens } from './embedded-tokens.ts';

export interface EmbeddedCoordinationOptions {
  /** Folder of `coordination.db`; created when missing. `'memory'`: nothing is kept. */
  readonly folder: string | 'memory';
  /** Milliseconds since 1970 that expiries go by. Default `Date.now`. Waiting goes by real time. */
  readonly now?: () => number;
  /** Receives errors of event listeners. Default: none. */
  readonly logger?: { warn(details: object, message: string): void };
}

const SWEEP_INTERVAL = 30_000;

/** Opens a SQLite file for what survives, memory for the rest; throws `data_folder_in_use`. */
export async function openEmbeddedCoordination(options: EmbeddedCoordinationOptions): Promise<Coordination> {
  const now = options.now ?? Date.now;
  const database = new CoordinationDatabase(options.folder);
  const tokens = embeddedTokens(database, now);
  const counters = embeddedCounters(database, now);
  const locks = embeddedLocks(() => database.assertOpen(), now);
  const queues = embeddedQueues(database, now);
  const tables = embeddedTables(database);
  const events = embeddedEvents(
    () => database.assertOpen(),
    (error, channel) => options.logger?.warn({ err: error, channel }, 'a listener of an event failed'),
  );

  const sweep = (): void => {
    try {
      locks.sweep();
      counters.sweep();
      const more = tokens.sweep();
      // What one bounded sweep left is taken up soon, with room for others in between.
      sweeping = setTimeout(sweep, more ? 50 : SWEEP_INTERVAL).unref();
    } catch (error) {
      options.logger?.warn({ err: error }, 'expired entries could not be removed; the next sweep tries again');
      sweeping = setTimeout(sweep, SWEEP_INTERVAL).unref();
    }
  };
  let sweeping = setTimeout(sweep, SWEEP_INTERVAL).unref();

  return {
    tokens,
    counters,
    locks,
    queues,
    tables,
    events,
    health: async () => ({ ok: database.failure === undefined, detail: database.failure ?? '' }),
    close: async () => {
      if (database.closed) return;
      clearTimeout(sweeping);
      locks.close();
      queues.close();
      events.close();
      try {
        counters.writeBack();
      } finally {
        database.close();
      }
    },
  };
}
