import { TimedCache } from '../../caching/timed-cache.ts';
import { networkOf } from '../networks.ts';

/** More networks than this are forgotten, the oldest first. */
const MAX_NETWORKS = 10_000;

/**
 * Networks that sent a wrong key to this process not long ago. Whether they sent too many, in all processes, is asked only of them, so
 * that a right key from elsewhere waits for no counter.
 */
export class SuspectAddresses {
  readonly #networks: TimedCache<true>;

  /** @param parts.lifetime seconds */
  constructor(parts: { readonly lifetime: number; readonly now: () => number }) {
    this.#networks = new TimedCache({ limit: MAX_NETWORKS, lifetime: parts.lifetime * 1000, now: parts.now });
  }

  has(address: string): boolean {
    return this.#networks.size > 0 && this.#networks.get(networkOf(address)) === true;
  }

  add(address: string): void {
    this.#networks.set(networkOf(address), true);
  }
}
