import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { unlessUnavailable } from '../../coordination/while-available.ts';
import type { Actor } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';

interface RequestQuotaDependencies {
  readonly counters: Pick<Coordination['counters'], 'enter' | 'leave'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Separates the slots of services. Default `quota`: the alert service. */
  readonly name?: string;
}

/** Milliseconds after which the slot of a dead process is free again. */
const SLOT_LIFETIME = 120_000;
/** The slot of a request that was admitted while slots could not be counted. */
const NOT_COUNTED = 'not counted';

/** Limits the concurrent requests of a user over all processes, unless coordination is unavailable. */
export class RequestQuota {
  readonly #counters: RequestQuotaDependencies['counters'];
  readonly #log: RateLimitedLogger;
  readonly #name: string;

  constructor({ counters, log, name = 'quota' }: RequestQuotaDependencies) {
    this.#counters = counters;
    this.#log = new RateLimitedLogger(log);
    this.#name = name;
  }

  /** Takes a slot; returns undefined when all slots of the user are taken. */
  async enter({ username, quota }: Pick<Actor, 'username' | 'quota'>): Promise<string | undefined> {
    const entered = this.#counters.enter(`${this.#name}:${username}`, quota, SLOT_LIFETIME);
    return unlessUnavailable(entered, NOT_COUNTED, (err) =>
      this.#log.warn({ err }, 'requests are admitted without counting them against quotas'),
    );
  }

  async leave({ username }: Pick<Actor, 'username'>, slot: string): Promise<void> {
    if (slot === NOT_COUNTED) return;
    await unlessUnavailable(this.#counters.leave(`${this.#name}:${username}`, slot), undefined, (err) =>
      this.#log.warn({ err }, 'slots of request quotas were not released; they expire'),
    );
  }
}

interface DailyCountsDependencies {
  readonly counters: Pick<Coordination['counters'], 'increment' | 'get'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Requests, and submissions of files. */
export type DailyCountKind = 'api' | 'submission';

const DAY = 86_400_000;

/** Counts the actions of users per day (UTC) over all processes; 0 while coordination is unavailable. */
export class DailyCounts {
  readonly #counters: DailyCountsDependencies['counters'];
  readonly #log: RateLimitedLogger;
  readonly #now: () => number;

  constructor({ counters, log, now = Date.now }: DailyCountsDependencies) {
    this.#counters = counters;
    this.#log = new RateLimitedLogger(log);
    this.#now = now;
  }

  /** Adds one, and returns the count of today. */
  increment(kind: DailyCountKind, username: string): Promise<number> {
    const now = this.#now();
    return this.#orZero(this.#counters.increment(keyOf(kind, username, now), DAY - (now % DAY)));
  }

  /** Takes one back, of something that was refused or failed after it was counted. */
  async decrement(kind: DailyCountKind, username: string): Promise<void> {
    const now = this.#now();
    await this.#orZero(this.#counters.increment(keyOf(kind, username, now), DAY - (now % DAY), { by: -1 }));
  }

  /** Returns the count of today. */
  get(kind: DailyCountKind, username: string): Promise<number> {
    return this.#orZero(this.#counters.get(keyOf(kind, username, this.#now())));
  }

  #orZero(count: Promise<number>): Promise<number> {
    return unlessUnavailable(count, 0, (err) => this.#log.warn({ err }, 'daily quotas are not counted'));
  }
}

/** Returns a key of one day, so that a clock that is set back does not continue its count. */
function keyOf(kind: DailyCountKind, username: string, now: number): string {
  return `daily-${kind}:${Math.floor(now / DAY)}:${username}`;
}
