import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import { isUnavailable, Unavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import { fetchProviderJson } from './provider-fetch.ts';

interface ProviderDocumentDependencies<Document> {
  readonly provider: string;
  /** Name for messages, such as `its signing keys`. */
  readonly what: string;
  readonly fetch: () => Promise<Document>;
  /** Milliseconds after which it is fetched again in the background. */
  readonly lifetime: number;
  /** Milliseconds for which it is used while it cannot be fetched. */
  readonly longest: number;
  readonly now: () => number;
  readonly log: IdentityLog;
}

/** Milliseconds between requests to a provider that does not answer. */
const RETRY_FLOOR = 2000;
/** Milliseconds between early fetches. */
const REFETCH_FLOOR = 10_000;

/** Caches a document, in use while the provider is silent. Fetches once at a time, every 2 s at most. */
export class ProviderDocument<Document> {
  readonly #dependencies: ProviderDocumentDependencies<Document>;
  #document: Document | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #askedAheadAt = Number.NEGATIVE_INFINITY;
  #failure: { readonly error: Unavailable; readonly at: number } | undefined;
  #pending: Promise<Document> | undefined;

  constructor(dependencies: ProviderDocumentDependencies<Document>) {
    this.#dependencies = dependencies;
  }

  /** Returns the cached document unless it is too old, and starts a background fetch when it is due. */
  current(): Document | undefined {
    const age = this.#dependencies.now() - this.#fetchedAt;
    if (age <= this.#dependencies.lifetime) return this.#document;
    if (this.#document !== undefined && this.#mayFetch()) this.#fetch().catch(() => undefined);
    return age <= this.#dependencies.longest ? this.#document : undefined;
  }

  /** @throws Unavailable `identity_provider_unavailable` */
  async get(): Promise<Document> {
    return this.current() ?? (await this.again());
  }

  /**
   * Fetches the document early, because it seems incomplete; undefined within ten seconds of the last
   * early fetch, so that callers cannot cause a request each time. @throws Unavailable `identity_provider_unavailable`
   */
  async newer(): Promise<Document | undefined> {
    if (this.#pending) return this.#pending;
    const now = this.#dependencies.now();
    if (this.#failure === undefined && now - this.#askedAheadAt < REFETCH_FLOOR) return undefined;
    const document = await this.again();
    this.#askedAheadAt = now;
    return document;
  }

  #mayFetch(): boolean {
    return this.#failure === undefined || this.#dependencies.now() - this.#failure.at >= RETRY_FLOOR;
  }

  /** Fetches the document. @throws Unavailable `identity_provider_unavailable` */
  async again(): Promise<Document> {
    if (this.#pending) return this.#pending;
    if (this.#failure && !this.#mayFetch()) throw this.#failure.error;
    return this.#fetch();
  }

  #fetch(): Promise<Document> {
    this.#pending ??= this.#fetchOnce().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetchOnce(): Promise<Document> {
    const { provider, what, now, log } = this.#dependencies;
    try {
      this.#document = await this.#dependencies.fetch();
      this.#fetchedAt = now();
      if (this.#failure) log.info({ provider }, `the identity provider ${provider} answers again`);
      this.#failure = undefined;
      return this.#document;
    } catch (cause) {
      const reason = reasonOf(cause);
      if (!this.#failure)
        log.warn({ provider, reason }, `the identity provider ${provider} does not give ${what}: ${reason}`);
      const error = isUnavailable(cause) ? (cause as Unavailable) : providerUnavailable(provider, cause);
      this.#failure = { error, at: now() };
      throw error;
    }
  }
}

/** Returns the messages of an error and its causes: `fetch failed` alone is not helpful. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${error.message}: ${reasonOf(error.cause)}`;
  return error.message;
}

/** Returns the error of requests that need a provider that does not answer. */
export function providerUnavailable(provider: string, cause: unknown): Unavailable {
  return new Unavailable(
    'identity_provider_unavailable',
    `The identity provider ${provider} does not answer, so it cannot identify users now. Try again later; other ways to sign in work.`,
    { cause, retryAfter: RETRY_FLOOR / 1000 },
  );
}

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

  /** Returns the set with the key, if there is one. @throws Unavailable `identity_provider_unavailable` */
  async setWith(keyId: string): Promise<LocalJWKSet | undefined> {
    const known = this.#sets.current();
    if (known?.keyIds.has(keyId)) return known.resolve;
    const fetched = known === undefined ? await this.#sets.get() : await this.#sets.newer();
    return fetched?.keyIds.has(keyId) ? fetched.resolve : undefined;
  }

  /** Returns the published set, fetched at once for an unknown key: the provider itself sent the token. */
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
