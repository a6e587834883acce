import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import type { IdentityLog } from '../identity-log.ts';
import { ProviderDocument } from './provider-document.ts';
import { fetchProviderJson } from './provider-fetch.ts';

const MINUTE = 60_000;

interface KeySet {
  readonly resolve: LocalJWKSet;
  readonly keyIds: ReadonlySet<string>;
}

/**
 * The keys that an identity provider signs with. Fetched when first needed, again every ten minutes and on an unknown key identifier (with a floor of
 * ten seconds between), and used for up to twelve hours while the provider is silent.
 */
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

  /** Whether the key is known without asking anybody. */
  has(keyId: string): boolean {
    return this.#sets.current()?.keyIds.has(keyId) === true;
  }

  /**
   * The set that has the key; undefined when the provider has none of that identifier.
   * @throws Unavailable `identity_provider_unavailable`, when nobody knows
   */
  async setWith(keyId: string): Promise<LocalJWKSet | undefined> {
    const known = this.#sets.current();
    if (known === undefined) {
      const first = await this.#sets.get();
      return first.keyIds.has(keyId) ? first.resolve : undefined;
    }
    if (known.keyIds.has(keyId)) return known.resolve;
    const newer = await this.#sets.newer();
    return newer?.keyIds.has(keyId) ? newer.resolve : undefined;
  }

  /**
   * The whole set as it is published, for a token that came from the provider itself: when its key is not known, the set is fetched again at once.
   * @throws Unavailable `identity_provider_unavailable`
   */
  async publishedWith(keyId: string | undefined): Promise<JSONWebKeySet> {
    const known = await this.#sets.get();
    const isKnown = keyId === undefined || known.keyIds.has(keyId);
    return (isKnown ? known : await this.#sets.again()).resolve.jwks();
  }
}

function readKeySet(document: Record<string, unknown>): KeySet {
  // Refuses what is not a key set.
  const resolve = createLocalJWKSet(document as unknown as JSONWebKeySet);
  const keyIds = resolve.jwks().keys.flatMap(({ kid }) => (typeof kid === 'string' ? [kid] : []));
  return { resolve, keyIds: new Set(keyIds) };
}
