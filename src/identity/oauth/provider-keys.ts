import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import type { IdentityLog } from '../identity-log.ts';
import { ProviderDocument } from './provider-document.ts';
import { fetchProviderJson } from './provider-fetch.ts';

const MINUTE = 60_000;

interface KeySet {
  readonly resolve: LocalJWKSet;
  readonly keyIds: ReadonlySet<string>;
}

/** Provides a provider's signing keys: renewed each 10 min, or 10 s for a new one; kept up to 12 h. */
export class ProviderKeys {
  readonly #sets: ProviderDocument<KeySet>;

  constructor(parts: {
    readonly provider: string;
    /** Address of the key set. */
    readonly address: () => Promise<string>;
    readonly now: () => number;
    readonly log: IdentityLog;
  }) {
    this.#sets = new ProviderDocument({
      ...parts,
      what: 'its signing keys',
      lifetime: 10 * MINUTE,
      longest: 12 * 60 * MINUTE,
      fetch: async () => readKeySet(await fetchProviderJson(await parts.address())),
    });
  }

  /** Returns whether the key is known, without a request. */
  has(keyId: string): boolean {
    return this.#sets.current()?.keyIds.has(keyId) === true;
  }

  /** Returns the set with the key; undefined if there is none; throws `identity_provider_unavailable`. */
  async setWith(keyId: string): Promise<LocalJWKSet | undefined> {
    const known = this.#sets.current();
    if (known?.keyIds.has(keyId)) return known.resolve;
    const fetched = known === undefined ? await this.#sets.get() : await this.#sets.newer();
    return fetched?.keyIds.has(keyId) ? fetched.resolve : undefined;
  }

  /** Returns the published set, refetched for an unknown key; throws `identity_provider_unavailable`. */
  async publishedWith(keyId: string | undefined): Promise<JSONWebKeySet> {
    const known = await this.#sets.get();
    const isKnown = keyId === undefined || known.keyIds.has(keyId);
    return (isKnown ? known : await this.#sets.again()).resolve.jwks();
  }
}

function readKeySet(document: Record<string, unknown>): KeySet {
  // Throws for another document.
  const resolve = createLocalJWKSet(document as unknown as JSONWebKeySet);
  const keyIds = resolve.jwks().keys.flatMap(({ kid }) => (typeof kid === 'string' ? [kid] : []));
  return { resolve, keyIds: new Set(keyIds) };
}
