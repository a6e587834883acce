import { isUnavailable } from '../../errors/errors.ts';
import type { CredentialCache } from '../credential-cache.ts';
import type { FairSemaphore } from '../limits/fair-semaphore.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import { networkOf } from '../networks.ts';
import type { RecentUser } from '../user-store.ts';
import type { ApiKeyRecord, SplitKey } from './api-key-records.ts';
import { verifyApiKeySecret } from './api-key-secret.ts';

export interface ApiKeyVerifierDependencies {
  readonly cache: CredentialCache;
  readonly throttle: Pick<LoginThrottle, 'checkAddress'>;
  /** Those of passwords. */
  readonly turns: FairSemaphore;
}

/**
 * Verifies secrets of API keys. The hashes of keys that a public system made take as long as those of passwords, so they are computed in turns, and
 * for no address that had too many failures.
 */
export class ApiKeyVerifier {
  readonly #dependencies: ApiKeyVerifierDependencies;

  constructor(dependencies: ApiKeyVerifierDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws TooManyRequests `too_many_failed_logins`, Unavailable `too_many_logins`: only where the hash is slow */
  async verify(user: RecentUser, { name, secret }: SplitKey, key: ApiKeyRecord, address: string): Promise<boolean> {
    const { cache } = this.#dependencies;
    const cacheKey = cache.keyOf(user.uname, `${name}:${secret}`);
    // Against the hash that the user has now.
    const isKnown = () => {
      const known = cache.get(cacheKey);
      return known?.kind === 'api_key' && known.hash === key.password;
    };
    const compute = async () => {
      // A program sends many requests at once: what one of them has computed does for those that wait.
      if (isKnown()) return true;
      if (!(await verifyApiKeySecret(secret, key.password))) return false;
      cache.remember(cacheKey, { kind: 'api_key', keyName: name, hash: key.password });
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
