import type { Coordination } from '../coordination/coordination.ts';
import type { Actor } from './actor.ts';

/** A place that nobody gives back (its process died) is free again after this time. */
const PLACE_LIFETIME = 120_000;

/** Limits the concurrent requests of a user to `api_quota`, over all processes. */
export class RequestQuota {
  readonly #counters: Coordination['counters'];

  constructor(parts: { readonly counters: Coordination['counters'] }) {
    this.#counters = parts.counters;
  }

  /** Takes a place; undefined when all of the user's are taken. */
  enter(actor: Pick<Actor, 'username' | 'quota'>): Promise<string | undefined> {
    return this.#counters.enter(keyOf(actor), actor.quota, PLACE_LIFETIME);
  }

  leave(actor: Pick<Actor, 'username'>, place: string): Promise<void> {
    return this.#counters.leave(keyOf(actor), place);
  }
}

function keyOf(actor: Pick<Actor, 'username'>): string {
  return `quota:${actor.username}`;
}
