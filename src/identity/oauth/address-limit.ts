import type { Coordination } from '../../coordination/coordination.ts';
import { isUnavailable } from '../../errors/errors.ts';
import { networkOf } from '../networks.ts';

export interface AddressLimitDependencies {
  readonly counters: Coordination['counters'];
  /** What is counted; part of the key. */
  readonly name: string;
  readonly most: number;
  /** Milliseconds from the first that is counted until it is forgotten. */
  readonly lifetime: number;
}

/**
 * Counts what comes from an address (of IPv6: its network), so that one caller cannot fill our memory or flood a provider by way of us. While
 * coordination is gone nothing is counted.
 */
export class AddressLimit {
  readonly #dependencies: AddressLimitDependencies;

  constructor(dependencies: AddressLimitDependencies) {
    this.#dependencies = dependencies;
  }

  async isReached(address: string | undefined): Promise<boolean> {
    return (await counted(this.#dependencies.counters.get(this.#keyOf(address)))) >= this.#dependencies.most;
  }

  /** Whether it was within the limit. */
  async count(address: string | undefined): Promise<boolean> {
    const { counters, lifetime, most } = this.#dependencies;
    return (await counted(counters.increment(this.#keyOf(address), lifetime))) <= most;
  }

  #keyOf(address = ''): string {
    return `${this.#dependencies.name}:${networkOf(address)}`;
  }
}

async function counted(count: Promise<number>): Promise<number> {
  try {
    return await count;
  } catch (error) {
    if (isUnavailable(error)) return 0;
    throw error;
  }
}
