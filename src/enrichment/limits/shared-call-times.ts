import type { Coordination, Lock } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { isUnavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import type { CallRate, CallTimes } from './call-rate.ts';

export interface SharedCallTimesDependencies {
  /** Name of the source. Sources of one name share their times over all processes. */
  readonly source: string;
  readonly rates: readonly CallRate[];
  readonly coordination: Pick<Coordination, 'locks' | 'tables'>;
  readonly log: Pick<IdentityLog, 'warn'>;
}

/** Entry of coordination with the times of calls, a list for each rate. */
const TABLE = 'enrichment-call-times';
/** Milliseconds after which the lock of a dead process is free. */
const LEASE = 5000;
/** Milliseconds for which an update waits for the lock. */
export const LOCK_WAIT = 1000;

/**
 * Stores the times of the calls to one source, a list for each rate, for all processes. While
 * coordination is unavailable each process counts alone, from the last known times.
 */
export class SharedCallTimes {
  readonly #dependencies: SharedCallTimesDependencies;
  readonly #log: RateLimitedLogger;
  #known: readonly CallTimes[];

  constructor(dependencies: SharedCallTimesDependencies) {
    this.#dependencies = dependencies;
    this.#log = new RateLimitedLogger(dependencies.log);
    this.#known = dependencies.rates.map(() => []);
  }

  /** The last known times of this process, in the order of the rates. */
  get known(): readonly CallTimes[] {
    return this.#known;
  }

  /** Returns the times of all processes; the last known ones while coordination is unavailable. */
  async read(): Promise<readonly CallTimes[]> {
    try {
      return await this.#stored();
    } catch (error) {
      this.#continueAlone(error);
      return this.#known;
    }
  }

  /**
   * Replaces the times under a lock, and calls `change` exactly once for that.
   * Returns false, without a call, when another process keeps the lock for a second.
   * @param change returns the new times, undefined when they stay as they are
   */
  async update(change: (times: readonly CallTimes[]) => readonly CallTimes[] | undefined): Promise<boolean> {
    const { coordination, source } = this.#dependencies;
    const continueAlone = (error: unknown) => this.#continueAlone(error);
    let lock: Lock | undefined;
    let isShared = true;
    try {
      try {
        lock = await coordination.locks.acquire(`${TABLE}:${source}`, LEASE, { wait: LOCK_WAIT });
        if (lock === undefined) return false;
        this.#known = await this.#stored();
      } catch (error) {
        this.#continueAlone(error);
        isShared = false;
      }
      const changed = change(this.#known);
      if (changed === undefined) return true;
      this.#known = changed;
      // What was not read is not replaced: others may have counted calls there.
      if (isShared) await this.#store().catch(continueAlone);
      return true;
    } finally {
      // The change counts already: a lock that cannot be released ends with its lease.
      await lock?.release().catch(continueAlone);
    }
  }

  async #stored(): Promise<readonly CallTimes[]> {
    const { coordination, source, rates } = this.#dependencies;
    const stored = await coordination.tables.get(TABLE, source);
    const byRate = typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {};
    return rates.map(({ text }) => readTimes(byRate[text]));
  }

  async #store(): Promise<void> {
    const { coordination, source, rates } = this.#dependencies;
    const byRate = Object.fromEntries(rates.map(({ text }, index) => [text, this.#known[index]]));
    await coordination.tables.put(TABLE, source, byRate);
  }

  /** Logs that coordination is unavailable. @throws every other error */
  #continueAlone(err: unknown): void {
    if (!isUnavailable(err)) throw err;
    const { source } = this.#dependencies;
    this.#log.warn({ err, source }, 'the rate limits of a source are counted by each process alone');
  }
}

function readTimes(stored: unknown): CallTimes {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (one): one is [number, number] => Array.isArray(one) && Number.isFinite(one[0]) && Number.isFinite(one[1]),
  );
}
