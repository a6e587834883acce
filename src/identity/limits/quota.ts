import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { isUnavailable } from '../../errors/errors.ts';
import type { Actor } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';

export interface RequestQuotaDependencies {
  readonly counters: Pick<Coordination['counters'], 'enter' | 'leave'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Keeps the places of services apart. Default `quota`: the alert service. */
  readonly name?: string;
}

/** A place that nobody gives back (its process died) is free again after this time. */
const PLACE_LIFETIME = 120_000;
/** The place of a request that was let in while places could not be counted. */
const NOT_COUNTED = 'not counted';

/** Limits the concurrent requests of a user to `api_quota`, over all processes. While coordination is gone nobody is limited. */
export class RequestQuota {
  readonly #counters: RequestQuotaDependencies['counters'];
  readonly #log: RateLimitedLogger;
  readonly #name: string;

  constructor(dependencies: RequestQuotaDependencies) {
    this.#counters = dependencies.counters;
    this.#log = new RateLimitedLogger(dependencies.log);
    this.#name = dependencies.name ?? 'quota';
  }

  /** Takes a place; undefined when all of the user's are taken. */
  async enter(actor: Pick<Actor, 'username' | 'quota'>): Promise<string | undefined> {
    try {
      return await this.#counters.enter(this.#keyOf(actor), actor.quota, PLACE_LIFETIME);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#log.warn({ err: error }, 'requests are let in without counting them against quotas');
      return NOT_COUNTED;
    }
  }

  async leave(actor: Pick<Actor, 'username'>, place: string): Promise<void> {
    if (place === NOT_COUNTED) return;
    try {
      await this.#counters.leave(this.#keyOf(actor), place);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#log.warn({ err: error }, 'places in request quotas were not given back; they expire by themselves');
    }
  }

  #keyOf(actor: Pick<Actor, 'username'>): string {
    return `${this.#name}:${actor.username}`;
  }
}
