import { isTriadError, Unavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';

export interface ProviderDocumentDependencies<Document> {
  readonly provider: string;
  /** In words, for messages: `the signing keys`. */
  readonly what: string;
  readonly fetch: () => Promise<Document>;
  /** Milliseconds after which it is fetched again, beside the requests. */
  readonly lifetime: number;
  /** Milliseconds that it may be used when it cannot be fetched any more. */
  readonly longest: number;
  readonly now: () => number;
  readonly log: IdentityLog;
}

/** Milliseconds between attempts at a provider that does not answer. */
const RETRY_FLOOR = 2000;
/** Milliseconds between fetches that callers ask for ahead of time. */
const REFETCH_FLOOR = 10_000;

/**
 * Something that an identity provider publishes, kept for a while. One fetch at a time; a provider that is down is asked again at most every two
 * seconds, and what is known of it goes on being used meanwhile.
 */
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

  /** What is known now, and not too old; looks for news beside the request when they are due. */
  current(): Document | undefined {
    const age = this.#dependencies.now() - this.#fetchedAt;
    if (age <= this.#dependencies.lifetime) return this.#document;
    if (this.#document !== undefined && this.#mayFetch()) this.#fetch().catch(() => undefined);
    return age <= this.#dependencies.longest ? this.#document : undefined;
  }

  /** @throws Unavailable `identity_provider_unavailable` */
  async get(): Promise<Document> {
    return this.current() ?? (await this.#fetchOrFail());
  }

  /**
   * Fetches it again although it is not old, because it seems to lack something; undefined when that was done less than ten seconds ago, so that
   * nobody can make this service knock at the provider for every request.
   * @throws Unavailable `identity_provider_unavailable`
   */
  async newer(): Promise<Document | undefined> {
    if (this.#pending) return this.#pending;
    const now = this.#dependencies.now();
    if (this.#failure === undefined && now - this.#askedAheadAt < REFETCH_FLOOR) return undefined;
    const document = await this.#fetchOrFail();
    this.#askedAheadAt = now;
    return document;
  }

  /** Fetches it again, whatever is known. @throws Unavailable `identity_provider_unavailable` */
  again(): Promise<Document> {
    return this.#fetchOrFail();
  }

  #mayFetch(): boolean {
    return this.#failure === undefined || this.#dependencies.now() - this.#failure.at >= RETRY_FLOOR;
  }

  async #fetchOrFail(): Promise<Document> {
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
      const error =
        isTriadError(cause) && cause.kind === 'unavailable'
          ? (cause as Unavailable)
          : providerUnavailable(provider, cause);
      this.#failure = { error, at: now() };
      throw error;
    }
  }
}

/** The innermost reason: `fetch failed` alone helps nobody. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${error.message}: ${reasonOf(error.cause)}`;
  return error.message;
}

/** What everybody is told who would be identified through a provider that does not answer. */
export function providerUnavailable(provider: string, cause: unknown): Unavailable {
  return new Unavailable(
    'identity_provider_unavailable',
    `The identity provider ${provider} does not answer, so that nobody can be identified through it now. Try again later; other ways to sign in work.`,
    { cause, retryAfter: RETRY_FLOOR / 1000 },
  );
}
