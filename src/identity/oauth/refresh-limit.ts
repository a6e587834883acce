import { createHash } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { isUnavailable, TooManyRequests } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import { AddressLimit } from '../limits/address-limit.ts';
import { refusalOf } from './provider-failure.ts';

/** Where a refresh token is used. */
export interface RefreshPlace {
  /** Name of the provider. */
  readonly provider: string;
  readonly service: ServiceName;
  readonly address: string | undefined;
}

/** Refused refresh tokens of one address at one provider and service. Each asks the provider. */
const MAX_REFUSED = 60;
const WINDOW = 60_000;
/** 30 days. A token that is used later is still good, but counts until the provider accepts it. */
const ISSUED_LIFETIME = 30 * 24 * 3_600_000;

/**
 * Limits how many refused refresh tokens an address may send. Tokens that this installation issued are never limited, so
 * other callers at the same address cannot block them. Without coordination there is no limit.
 */
export class RefreshLimit {
  readonly #tokens: Coordination['tokens'];
  readonly #refused: AddressLimit;

  constructor({ tokens, counters }: Pick<Coordination, 'tokens' | 'counters'>) {
    this.#tokens = tokens;
    this.#refused = new AddressLimit({
      counters,
      name: 'oauth-refused-refreshes',
      most: MAX_REFUSED,
      lifetime: WINDOW,
    });
  }

  /**
   * Returns the answer of the provider. An attempt is counted before the provider is asked, and taken back unless it refuses
   * the token, so that concurrent attempts stay within the limit.
   * @throws TooManyRequests `too_many_refused_refreshes`; what `ask` throws
   */
  async attempt<T>(place: RefreshPlace, refreshToken: string, ask: () => Promise<T>): Promise<T> {
    const issued = await this.#isIssued(place, refreshToken);
    const slot = `${place.service}:${place.provider}`;
    if (!issued && !(await this.#refused.count(place.address, slot))) {
      throw new TooManyRequests(
        'too_many_refused_refreshes',
        `Your address sent more than ${MAX_REFUSED} refresh tokens that are not valid within ${WINDOW / 1000} seconds. Try again later.`,
        { retryAfter: WINDOW / 1000 },
      );
    }
    try {
      const answer = await ask();
      if (!issued) await this.#refused.takeBack(place.address, slot);
      return answer;
    } catch (error) {
      const refused = refusalOf(error) !== undefined;
      if (refused && issued) await this.forget(place, refreshToken);
      if (!refused && !issued) await this.#refused.takeBack(place.address, slot);
      throw error;
    }
  }

  /** Remembers a token that the provider issued through this installation. */
  async remember(place: RefreshPlace, refreshToken: string): Promise<void> {
    await unlessUnavailable(this.#tokens.put(keyOf(place, refreshToken), true, ISSUED_LIFETIME));
  }

  /** Forgets a token that was replaced or refused. */
  async forget(place: RefreshPlace, refreshToken: string): Promise<void> {
    await unlessUnavailable(this.#tokens.remove(keyOf(place, refreshToken)));
  }

  async #isIssued(place: RefreshPlace, refreshToken: string): Promise<boolean> {
    return (await unlessUnavailable(this.#tokens.get(keyOf(place, refreshToken)))) === true;
  }
}

function keyOf({ provider, service }: RefreshPlace, refreshToken: string): string {
  return `oauth-refresh-token:${service}:${provider}:${createHash('sha256').update(refreshToken).digest('hex')}`;
}

async function unlessUnavailable<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isUnavailable(error)) return undefined;
    throw error;
  }
}
