import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { isUnavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';

export interface DailyCountsDependencies {
  readonly counters: Pick<Coordination['counters'], 'increment' | 'get'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** What is counted: requests, and submissions of files. */
export type DailyCountKind = 'api' | 'submission';

const DAY = 86_400_000;

/**
 * What users of the analysis service did today (UTC), over all processes. While coordination is gone nothing is counted and everybody has
 * done nothing.
 */
export class DailyCounts {
  readonly #counters: DailyCountsDependencies['counters'];
  readonly #log: RateLimitedLogger;
  readonly #now: () => number;

  constructor(dependencies: DailyCountsDependencies) {
    this.#counters = dependencies.counters;
    this.#log = new RateLimitedLogger(dependencies.log);
    this.#now = dependencies.now ?? Date.now;
  }

  /** Counts one more; how many there were today with it. */
  increment(kind: DailyCountKind, username: string): Promise<number> {
    const now = this.#now();
    return this.#orZero(this.#counters.increment(keyOf(kind, username, now), DAY - (now % DAY)));
  }

  /** How many there were today. */
  get(kind: DailyCountKind, username: string): Promise<number> {
    return this.#orZero(this.#counters.get(keyOf(kind, username, this.#now())));
  }

  async #orZero(count: Promise<number>): Promise<number> {
    try {
      return await count;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#log.warn({ err: error }, 'daily quotas are not counted');
      return 0;
    }
  }
}

/** Of each day its own, so that a clock that is set back does not find yesterday's count again. */
function keyOf(kind: DailyCountKind, username: string, now: number): string {
  return `daily-${kind}:${Math.floor(now / DAY)}:${username}`;
}
