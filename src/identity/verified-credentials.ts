import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface Entry {
  readonly value: object;
  /** Milliseconds at which it was verified. */
  readonly since: number;
}

/** The stored hash that a password or an API key was verified against. */
export interface VerifiedHash {
  readonly hash: string;
}

/** Milliseconds after which a password or an API key is hashed again. */
export const HASH_LIFETIME = 10 * 60 * 1000;

/** Options for the entries of one kind of credential. */
interface KindOptions {
  /** Milliseconds. Default: without limit. */
  readonly lifetime?: number;
  /** Milliseconds; for tests. */
  readonly now?: (() => number) | undefined;
}

const MAX_ENTRIES = 30_000;
/** Characters of all credentials together. */
const MAX_SIZE = 24 * 1024 * 1024;
/** Characters that a short credential counts, with what is kept beside it. */
const MIN_SIZE = 256;

/**
 * Caches verified credentials of every kind for all services, so that a slow hash or a signature is
 * computed once. Evicts the least recently used. Holds no credential, only a digest with a secret of this process.
 * An entry proves that a credential belonged to a stored hash or key when it was verified. Its reader compares that with the
 * present one at every use, so a revocation takes effect as soon as the account or the provider's key set is read again.
 */
export class VerifiedCredentials {
  readonly #secret = randomBytes(32).toString('hex');
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES, maxSize: MAX_SIZE });

  /** @param kind keeps equal credentials of different kinds apart */
  ofKind<Value extends object>(kind: string, options: KindOptions = {}): CredentialsOfKind<Value> {
    return new CredentialsOfKind(this.#entries, `${this.#secret}${kind} `, options);
  }
}

/** The verified credentials of one kind. Keys come from `keyOf`, or are digests already. */
export class CredentialsOfKind<Value extends object> {
  readonly #entries: LRUCache<string, Entry>;
  readonly #prefix: string;
  readonly #lifetime: number;
  readonly #now: () => number;

  constructor(entries: LRUCache<string, Entry>, prefix: string, { lifetime, now }: KindOptions) {
    this.#entries = entries;
    this.#prefix = prefix;
    this.#lifetime = lifetime ?? Number.POSITIVE_INFINITY;
    this.#now = now ?? Date.now;
  }

  /** @param name of the user or service that the credential is for; default: it is for all */
  keyOf(credential: string, name = ''): string {
    // The length keeps `a` + `b:c` and `a:b` + `c` apart.
    return hash('sha256', `${this.#prefix}${name.length} ${name}${credential}`, 'base64');
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#now() - entry.since < this.#lifetime) return entry.value as Value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param size characters; default: a short credential @param since milliseconds of its verification */
  set(key: string, value: Value, { size = 0, since = this.#now() } = {}): void {
    this.#entries.set(key, { value, since }, { size: Math.max(MIN_SIZE, size) });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
