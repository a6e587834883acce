import type { Coordination } from '../../coordination/coordination.ts';
import { isUnavailable } from '../../errors/errors.ts';
import { networkOf } from '../networks.ts';

export interface AddressLimitParts {
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
  readonly #parts: AddressLimitParts;

  constructor(parts: AddressLimitParts) {
    this.#parts = parts;
  }

  async isReached(address: string | undefined): Promise<boolean> {
    return (await counted(this.#parts.counters.get(this.#keyOf(address)))) >= this.#parts.most;
  }

  /** Whether it was within the limit. */
  async count(address: string | undefined): Promise<boolean> {
    const { counters, lifetime, most } = this.#parts;
    return (await counted(counters.increment(this.#keyOf(address), lifetime))) <= most;
  }

  #keyOf(address = ''): string {
    return `${this.#parts.name}:${networkOf(address)}`;
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
