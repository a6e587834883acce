import { randomUUID } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { unlessUnavailable } from '../../coordination/while-available.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { CallRejected } from './call-rejected.ts';

export interface UserQuotaDependencies {
  /** Name of the on-behalf-of target. Its sources share the quota. */
  readonly target: string;
  /** Maximum number of concurrent calls of a user; undefined: no limit. */
  readonly quota: number | undefined;
  readonly counters: Pick<Coordination['counters'], 'enter' | 'leave'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** Milliseconds that a slot outlives the deadline of its call, if the process dies. */
const MARGIN = 5000;

/** Limits the concurrent calls of a user to an on-behalf-of target, over all processes. */
export class UserQuota {
  readonly #dependencies: UserQuotaDependencies;
  readonly #now: () => number;
  readonly #log: RateLimitedLogger;

  constructor(dependencies: UserQuotaDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
    this.#log = new RateLimitedLogger(dependencies.log);
  }

  /**
   * Runs a call and gives its slot back however it ends. Without coordination calls are not counted.
   * @param deadline milliseconds since 1970, when the call is over at the latest
   * @throws CallRejected `quota` when the user has all slots; what `work` throws
   */
  async run<T>(who: string, deadline: number, work: () => Promise<T>): Promise<T> {
    const { quota, target, counters } = this.#dependencies;
    if (quota === undefined) return work();
    const key = `enrichment-quota:${target}:${who}`;
    const slot = randomUUID();
    const lifetime = Math.max(0, deadline - this.#now()) + MARGIN;
    const warn = (err: unknown) =>
      this.#log.warn({ err, target }, 'calls to sources are not counted against the quotas of users');
    // An adapter of the port may treat a limit of 0 as no limit.
    const entered =
      quota > 0 ? await unlessUnavailable(counters.enter(key, quota, lifetime, slot), slot, warn) : undefined;
    if (entered === undefined) {
      throw new CallRejected(
        'quota',
        // The text of the public system, which clients compare.
        `You have too many simultaneous connections to external service ${target}. Please use larger batches when enriching.`,
      );
    }
    try {
      return await work();
    } finally {
      await unlessUnavailable(counters.leave(key, slot), undefined, warn);
    }
  }
}
