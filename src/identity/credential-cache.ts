import { hash, randomBytes } from 'node:crypto';
import { TimedCache } from '../caching/timed-cache.ts';

/** A credential that was verified against this stored hash. Whether the hash is still the user's is asked at every use. */
export interface VerifiedCredential {
  readonly kind: 'password' | 'api_key';
  /** Of the API key. */
  readonly keyName: string | undefined;
  /** The stored hash. */
  readonly hash: string;
}

const LIFETIME = 10 * 60 * 1000;
const MAX_ENTRIES = 10_000;

/**
 * Remembers verified credentials, so that a slow hash is computed once and not at every request. Keeps no credential, only a digest of it
 * with a secret that this process made up.
 */
export class CredentialCache {
  readonly #secret = randomBytes(32).toString('hex');
  readonly #entries: TimedCache<VerifiedCredential>;

  constructor(parts: { readonly now: () => number }) {
    this.#entries = new TimedCache({ limit: MAX_ENTRIES, lifetime: LIFETIME, now: parts.now });
  }

  /** Stands for a credential of a user in this cache. */
  keyOf(username: string, credential: string): string {
    // The length keeps `a` + `b:c` and `a:b` + `c` apart.
    return hash('sha256', `${this.#secret}${username.length} ${username}${credential}`, 'base64');
  }

  get(key: string): VerifiedCredential | undefined {
    return this.#entries.get(key);
  }

  remember(key: string, entry: VerifiedCredential): void {
    this.#entries.set(key, entry);
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
