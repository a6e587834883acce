import { isUnavailable } from '../../errors/errors.ts';
import type { FairSemaphore } from '../limits/fair-semaphore.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import { networkOf } from '../networks.ts';
import type { RecentUser } from '../user-store.ts';
import {
  type CredentialsOfKind,
  HASH_LIFETIME,
  type VerifiedCredentials,
  type VerifiedHash,
} from '../verified-credentials.ts';
import { type ApiKeyRecord, type SplitKey, verifyApiKeySecret } from './api-key-records.ts';

export interface ApiKeyVerifierDependencies {
  readonly credentials: VerifiedCredentials;
  readonly throttle: Pick<LoginThrottle, 'checkAddress'>;
  /** The semaphore that passwords are hashed under. */
  readonly turns: FairSemaphore;
  readonly now: () => number;
}

/**
 * Verifies secrets of API keys. The hashes of keys that a public system made take as long as those of passwords, so they are computed in turns, and
 * for no address that had too many failures.
 */
export class ApiKeyVerifier {
  readonly #dependencies: ApiKeyVerifierDependencies;
  readonly #verified: CredentialsOfKind<VerifiedHash>;

  constructor(dependencies: ApiKeyVerifierDependencies) {
    this.#dependencies = dependencies;
    this.#verified = dependencies.credentials.ofKind('api_key', { lifetime: HASH_LIFETIME, now: dependencies.now });
  }

  /** @throws TooManyRequests `too_many_failed_logins`, Unavailable `too_many_logins`: only where the hash is slow */
  async verify(user: RecentUser, { name, secret }: SplitKey, key: ApiKeyRecord, address: string): Promise<boolean> {
    const verified = this.#verified;
    const cacheKey = verified.keyOf(`${name}:${secret}`, user.uname);
    // Against the hash that the user has now.
    const isKnown = () => verified.get(cacheKey)?.hash === key.password;
    const compute = async () => {
      // A program sends many requests at once: what one of them has computed does for those that wait.
      if (isKnown()) return true;
      if (!(await verifyApiKeySecret(secret, key.password))) return false;
      verified.set(cacheKey, { hash: key.password });
      return true;
    };
    if (isKnown()) return true;
    return key.password.startsWith('$2') ? this.#inTurn(address, compute) : compute();
  }

  async #inTurn(address: string, compute: () => Promise<boolean>): Promise<boolean> {
    await this.#checkAddress(address);
    return this.#dependencies.turns.take(networkOf(address), async () => {
      // While it waited others from there have failed.
      await this.#checkAddress(address);
      return compute();
    });
  }

  /** Nobody guesses a key, so it can be used also while failures cannot be counted. */
  async #checkAddress(address: string): Promise<void> {
    try {
      await this.#dependencies.throttle.checkAddress(address);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}
