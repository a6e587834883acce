import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { isUnavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { type CallRate, type CallTimes, nextCallAt, readCallRates, timesWithin, withCall } from './call-rate.ts';
import { CallRefused } from './call-refused.ts';

export interface RateLimitsDependencies {
  /** Name of the source. Sources of one name share their rates over all processes. */
  readonly source: string;
  /** Rates such as `4/minute`, as the settings have them. */
  readonly rates: readonly string[];
  readonly coordination: Pick<Coordination, 'locks' | 'tables'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
  /** Calls back after so many milliseconds; returns what cancels that. For tests. */
  readonly after?: (milliseconds: number, callback: () => void) => () => void;
}

/** The rest of one rate, until the oldest call that counts is over. */
export interface RateLeft {
  readonly limit: string;
  readonly left: number;
  /** When more calls fit; undefined when none was made. */
  readonly until: Date | undefined;
}

interface Waiter {
  readonly who: string;
  readonly deadline: number;
  grant(): void;
  refuse(error: unknown): void;
}

/** Entry of coordination with the times of calls, a list for each rate. */
const TABLE = 'enrichment-call-times';
/** Milliseconds after which the lock of a dead process is free. */
const LEASE = 5000;
const LOCK_WAIT = 1000;
/** Milliseconds that a call must have left after it waited. */
const SHORTEST_CALL = 100;

/**
 * Keeps the calls to a source within its rates, over all processes: at most so many in any period of
 * that length, which holds for fixed and for sliding windows of the vendor. Waiting users take turns. While coordination
 * is unavailable each process counts by itself, from what it knew last.
 */
export class RateLimits {
  readonly #dependencies: RateLimitsDependencies;
  readonly #rates: readonly CallRate[];
  readonly #now: () => number;
  readonly #after: NonNullable<RateLimitsDependencies['after']>;
  readonly #log: RateLimitedLogger;
  #waiting: Waiter[] = [];
  /** When a user was served last, by a number that grows; users without waiting calls are forgotten. */
  readonly #served = new Map<string, number>();
  #turn = 0;
  /** The times that this process knew last. */
  #known: readonly CallTimes[];
  #working = false;
  /** A call came that no run has looked at. */
  #hasArrived = false;
  #cancelTimer: (() => void) | undefined;

  constructor(dependencies: RateLimitsDependencies) {
    this.#dependencies = dependencies;
    this.#rates = readCallRates(dependencies.rates);
    this.#known = this.#rates.map(() => []);
    this.#now = dependencies.now ?? Date.now;
    this.#after = dependencies.after ?? later;
    this.#log = new RateLimitedLogger(dependencies.log);
  }

  /** Calls that wait until they fit. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when a call may be made, which counts from then on.
   * @param deadline milliseconds since 1970
   * @throws CallRefused `rate_limit` at once when the call does not fit before its deadline; the reason of `signal`
   */
  async wait(who: string, deadline: number, signal: AbortSignal): Promise<void> {
    if (this.#rates.length === 0) return;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', abort);
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        if (!this.#waiting.some((one) => one.who === who)) this.#served.delete(who);
      };
      const abort = () => waiter.refuse(signal.reason);
      const waiter: Waiter = {
        who,
        deadline,
        grant: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      this.#waiting.push(waiter);
      this.#hasArrived = true;
      signal.addEventListener('abort', abort, { once: true });
      void this.#serve();
    });
  }

  /** Returns what is left of each rate, in all processes. */
  async left(): Promise<readonly RateLeft[]> {
    const now = this.#now();
    const all = this.#rates.length === 0 ? [] : await this.#read().catch(this.#whatIsKnown);
    return this.#rates.map((rate, index) => {
      const times = timesWithin(all[index] ?? [], rate, now);
      const used = times.reduce((sum, [, calls]) => sum + calls, 0);
      const [oldest] = times;
      const until = oldest === undefined ? undefined : new Date(oldest[0] + rate.period);
      return { limit: rate.text, left: Math.max(0, rate.calls - used), until };
    });
  }

  /** Serves those who wait, one run at a time, and sets the timer for the rest. */
  async #serve(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    try {
      do {
        this.#hasArrived = false;
        for (const waiter of await this.#locked()) {
          this.#served.set(waiter.who, ++this.#turn);
          waiter.grant();
        }
      } while (this.#hasArrived);
    } catch (error) {
      for (const waiter of this.#waiting) waiter.refuse(error);
    } finally {
      this.#working = false;
      this.#setTimer();
    }
  }

  /** Returns the calls that are granted, which are counted already. */
  async #locked(): Promise<readonly Waiter[]> {
    const { locks } = this.#dependencies.coordination;
    try {
      const lock = await locks.acquire(`${TABLE}:${this.#dependencies.source}`, LEASE, { wait: LOCK_WAIT });
      if (lock === undefined) {
        this.#refuseLate();
        this.#hasArrived = this.#waiting.length > 0;
        return [];
      }
      try {
        this.#known = await this.#read();
        const granted = this.#takeFitting();
        if (granted.length > 0) await this.#write().catch(this.#whatIsKnown);
        return granted;
      } finally {
        await lock.release();
      }
    } catch (error) {
      this.#whatIsKnown(error);
      return this.#takeFitting();
    }
  }

  /** Counts and returns the calls that fit now, by turns, and refuses those that cannot fit in time. */
  #takeFitting(): readonly Waiter[] {
    const now = this.#now();
    let known = this.#rates.map((rate, index) => timesWithin(this.#known[index] ?? [], rate, now));
    // Times as they will be when those who wait before are served.
    let planned: readonly CallTimes[] = known;
    const granted: Waiter[] = [];
    for (const waiter of this.#inTurn()) {
      const at = this.#rates.reduce(
        (latest, rate, index) => Math.max(latest, nextCallAt(planned[index] ?? [], rate, now)),
        now,
      );
      if (at + SHORTEST_CALL > waiter.deadline) {
        waiter.refuse(this.#refusal(at));
        continue;
      }
      planned = this.#rates.map((rate, index) => withCall(timesWithin(planned[index] ?? [], rate, at), rate, at));
      if (at > now) continue;
      known = planned as CallTimes[];
      granted.push(waiter);
    }
    this.#known = known;
    return granted;
  }

  /** Returns the waiting calls: the first of each user, those served longest ago first, then the second. */
  #inTurn(): readonly Waiter[] {
    const rounds = new Map<string, number>();
    return this.#waiting
      .map((waiter) => {
        const round = rounds.get(waiter.who) ?? 0;
        rounds.set(waiter.who, round + 1);
        return { waiter, round, served: this.#served.get(waiter.who) ?? 0 };
      })
      .sort((a, b) => a.round - b.round || a.served - b.served)
      .map(({ waiter }) => waiter);
  }

  #refuseLate(): void {
    const now = this.#now();
    for (const waiter of this.#waiting) {
      if (now + SHORTEST_CALL > waiter.deadline) waiter.refuse(this.#refusal(now + LOCK_WAIT));
    }
  }

  #refusal(at: number): CallRefused {
    const { source } = this.#dependencies;
    const rates = this.#rates.map(({ text }) => text).join(', ');
    return new CallRefused(
      'rate_limit',
      `${source} takes ${rates} calls, which are used up. The next call is possible at ${new Date(at).toISOString()}.`,
      at,
    );
  }

  #setTimer(): void {
    if (this.#waiting.length === 0 || this.#cancelTimer !== undefined) return;
    const now = this.#now();
    const next = this.#rates.reduce(
      (latest, rate, index) =>
        Math.max(latest, nextCallAt(timesWithin(this.#known[index] ?? [], rate, now), rate, now)),
      now,
    );
    this.#cancelTimer = this.#after(Math.max(1, next - now), () => {
      this.#cancelTimer = undefined;
      void this.#serve();
    });
  }

  async #read(): Promise<readonly CallTimes[]> {
    const stored = await this.#dependencies.coordination.tables.get(TABLE, this.#dependencies.source);
    const byRate = typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {};
    return this.#rates.map(({ text }) => readTimes(byRate[text]));
  }

  async #write(): Promise<void> {
    const byRate = Object.fromEntries(this.#rates.map(({ text }, index) => [text, this.#known[index]]));
    await this.#dependencies.coordination.tables.put(TABLE, this.#dependencies.source, byRate);
  }

  /** Continues with what this process knows while coordination is unavailable. */
  readonly #whatIsKnown = (err: unknown): readonly CallTimes[] => {
    if (!isUnavailable(err)) throw err;
    const { source } = this.#dependencies;
    this.#log.warn({ err, source }, 'the rate limits of a source are counted by each process alone');
    return this.#known;
  };
}

function readTimes(stored: unknown): CallTimes {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (one): one is [number, number] => Array.isArray(one) && Number.isFinite(one[0]) && Number.isFinite(one[1]),
  );
}

/** Longest time (milliseconds) that a timer of Node takes. */
const MAX_TIMER = 2 ** 31 - 1;

function later(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(milliseconds, MAX_TIMER));
  return () => clearTimeout(timer);
}
