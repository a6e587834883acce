import { hash, randomBytes } from 'node:crypto';

/** A credential that was verified against this stored hash. Whether the hash is still the user's is asked at every use. */
export interface VerifiedCredential {
  readonly kind: 'password' | 'api_key';
  /** Of the API key. */
  readonly keyName: string | undefined;
  /** The stored hash. */
  readonly hash: string;
  readonly verifiedAt: number;
}

const LIFETIME = 10 * 60 * 1000;
const MAX_ENTRIES = 10_000;

/**
 * Remembers verified credentials, so that a slow hash is computed once and not at every request. Keeps no credential, only a digest of it
 * with a secret that this process made up.
 */
export class CredentialCache {
  readonly #secret = randomBytes(32).toString('hex');
  readonly #now: () => number;
  readonly #entries = new Map<string, VerifiedCredential>();

  constructor(parts: { readonly now: () => number }) {
    this.#now = parts.now;
  }

  /** Stands for a credential of a user in this cache. */
  keyOf(username: string, credential: string): string {
    // The length keeps `a` + `b:c` and `a:b` + `c` apart.
    return hash('sha256', `${this.#secret}${username.length} ${username}${credential}`, 'base64');
  }

  get(key: string): VerifiedCredential | undefined {
    const entry = this.#entries.get(key);
    if (entry && this.#now() - entry.verifiedAt < LIFETIME) return entry;
    if (entry) this.#entries.delete(key);
    return undefined;
  }

  remember(key: string, entry: Omit<VerifiedCredential, 'verifiedAt'>): void {
    this.#entries.delete(key);
    if (this.#entries.size >= MAX_ENTRIES) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, { ...entry, verifiedAt: this.#now() });
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
