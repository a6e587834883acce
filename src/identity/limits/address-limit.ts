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
 * Counts attempts of an address (of IPv6: its /64), so that one caller can neither fill the memory nor flood a provider through
 * this installation. Without coordination nothing is counted.
 */
export class AddressLimit {
  readonly #dependencies: AddressLimitDependencies;

  constructor(dependencies: AddressLimitDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Counts an attempt and returns whether it is within the limit. A refused attempt is not counted.
   * @param slot attempts of an address in different slots are counted separately
   */
  async count(address: string | undefined, slot = ''): Promise<boolean> {
    const { most } = this.#dependencies;
    if ((await this.#add(address, slot, 1)) <= most) return true;
    await this.takeBack(address, slot);
    return false;
  }

  /** Takes an attempt back that `count` counted. */
  async takeBack(address: string | undefined, slot = ''): Promise<void> {
    await this.#add(address, slot, -1);
  }

  async #add(address = '', slot: string, by: number): Promise<number> {
    const { counters, lifetime, name } = this.#dependencies;
    try {
      return await counters.increment(`${name}:${slot}:${networkOf(address)}`, lifetime, { by });
    } catch (error) {
      if (isUnavailable(error)) return 0;
      throw error;
    }
  }
}
