import { createHash } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { unlessUnavailable } from '../../coordination/while-available.ts';
import { TooManyRequests } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import { networkOf } from '../networks.ts';
import { refusalOf } from './provider-failure.ts';

/** The use of a refresh token at a provider. */
interface RefreshPlace {
  readonly provider: string;
  readonly service: ServiceName;
  readonly origin: { readonly address?: string | undefined };
}

/** Refused refresh tokens of an address at one provider and service. */
const MAX_REFUSED = 60;
const WINDOW = 60_000;
/** 30 days. An older token is still valid, but counts until the provider accepts it. */
const ISSUED_LIFETIME = 30 * 24 * 3_600_000;

/**
 * Limits the refused refresh tokens of an address, while coordination is available. Tokens that this
 * installation issued are never limited, so other callers at the same address cannot block them.
 */
export class RefreshLimit {
  readonly #tokens: Coordination['tokens'];
  readonly #refused: AddressLimit;

  constructor({ tokens, counters }: Pick<Coordination, 'tokens' | 'counters'>) {
    this.#tokens = tokens;
    this.#refused = new AddressLimit(counters, {
      name: 'oauth-refused-refreshes',
      most: MAX_REFUSED,
      lifetime: WINDOW,
    });
  }

  /**
   * Returns the answer of the provider. An attempt is counted before the request, and taken back unless
   * it is refused, so that concurrent ones stay within the limit. @throws `too_many_refused_refreshes`; as `ask`
   */
  async attempt<T>(place: RefreshPlace, refreshToken: string, ask: () => Promise<T>): Promise<T> {
    const issued = (await unlessUnavailable(this.#tokens.get(keyOf(place, refreshToken)), undefined)) === true;
    const slot = `${place.service}:${place.provider}`;
    if (!issued && !(await this.#refused.count(place.origin.address, slot))) {
      throw new TooManyRequests(
        'too_many_refused_refreshes',
        `Your address sent more than ${MAX_REFUSED} refresh tokens that are not valid within ${WINDOW / 1000} seconds. Try again later.`,
        { retryAfter: WINDOW / 1000 },
      );
    }
    try {
      const answer = await ask();
      if (!issued) await this.#refused.takeBack(place.origin.address, slot);
      return answer;
    } catch (error) {
      const refused = refusalOf(error) !== undefined;
      if (refused && issued) await this.forget(place, refreshToken);
      if (!refused && !issued) await this.#refused.takeBack(place.origin.address, slot);
      throw error;
    }
  }

  /** Remembers a token that the provider issued through this installation. */
  async remember(place: RefreshPlace, refreshToken: string): Promise<void> {
    await unlessUnavailable(this.#tokens.put(keyOf(place, refreshToken), true, ISSUED_LIFETIME), undefined);
  }

  /** Forgets a token that was replaced or refused. */
  async forget(place: RefreshPlace, refreshToken: string): Promise<void> {
    await unlessUnavailable(this.#tokens.remove(keyOf(place, refreshToken)), undefined);
  }
}

function keyOf({ provider, service }: RefreshPlace, refreshToken: string): string {
  return `oauth-refresh-token:${service}:${provider}:${createHash('sha256').update(refreshToken).digest('hex')}`;
}

interface AddressLimitOptions {
  /** Part of the key. */
  readonly name: string;
  readonly most: number;
  /** Milliseconds from the first counted attempt until the count expires. */
  readonly lifetime: number;
}

/**
 * Counts attempts of an address (of IPv6: its /64), so that one caller can neither fill the memory nor
 * flood a provider. Counts nothing while coordination is unavailable.
 */
export class AddressLimit {
  readonly #counters: Coordination['counters'];
  readonly #options: AddressLimitOptions;

  constructor(counters: Coordination['counters'], options: AddressLimitOptions) {
    this.#counters = counters;
    this.#options = options;
  }

  /** Counts an attempt and returns whether it is within the limit of its slot; refused ones do not count. */
  async count(address: string | undefined, slot = ''): Promise<boolean> {
    if ((await this.#add(address, slot, 1)) <= this.#options.most) return true;
    await this.takeBack(address, slot);
    return false;
  }

  /** Takes back an attempt that `count` counted. */
  async takeBack(address: string | undefined, slot = ''): Promise<void> {
    await this.#add(address, slot, -1);
  }

  #add(address = '', slot: string, by: number): Promise<number> {
    const { lifetime, name } = this.#options;
    return unlessUnavailable(this.#counters.increment(`${name}:${slot}:${networkOf(address)}`, lifetime, { by }), 0);
  }
}
