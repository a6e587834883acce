import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { IdentityProvider } from '../oauth/provider.ts';
import type { ProviderRegistry } from '../oauth/provider-registry.ts';
import { type GrantedToken, GrantFailure, grant } from './exchange-grant.ts';

export interface ServiceAccountDependencies {
  readonly settings: Settings['auth']['service_account'];
  readonly registry: ProviderRegistry;
  /** The service whose client signs the account in. */
  readonly service: ServiceName;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

type Granted = GrantedToken & { readonly refreshToken: string | undefined };
type Account = Settings['auth']['service_account']['accounts'][number];

/** Milliseconds before its expiry from which a token is not returned any more. */
const EARLIER = 60_000;
/** Milliseconds after a login in which its refresh token is used (contract/enrichment.md section 1.6). */
const REFRESH_LIFETIME = 12 * 3_600_000;
/** Milliseconds after a failure before the next request: a provider may lock the account. */
const FAILURE_PAUSE = 10_000;

/**
 * Provides a token for callers who have none, for sources that require one: by the password of an
 * account (RFC 6749 section 4.3), then by its refresh token. Safe for concurrent use; signs in once at a time.
 */
export class ServiceAccount {
  readonly #dependencies: ServiceAccountDependencies;
  readonly #now: () => number;
  readonly #account: Account | undefined;
  readonly #provider: IdentityProvider | undefined;
  #granted: Granted | undefined;
  #signedInAt = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #underWay: Promise<string | null> | undefined;

  /** @throws InvalidInput `invalid_setting` for accounts that could never sign in */
  constructor(dependencies: ServiceAccountDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
    const { settings, registry } = dependencies;
    if (!settings.enabled) return;
    if (!registry.enabled) throw invalidAccounts('needs auth.oauth.enabled');
    const providers = settings.accounts.map(({ provider }) => provider);
    const unknown = providers.find((provider) => registry.find(provider) === undefined);
    if (unknown !== undefined) throw invalidAccounts(`names the provider ${unknown}, which is not configured`);
    if (new Set(providers).size < providers.length) throw invalidAccounts('may have one account of a provider');
    [this.#account] = settings.accounts;
    if (!this.#account) throw invalidAccounts('needs an account in accounts');
    if (!this.#account.password) throw invalidAccounts('needs the password of its account');
    this.#provider = registry.find(this.#account.provider);
  }

  get enabled(): boolean {
    return this.#provider !== undefined;
  }

  /** Returns an access token of the account, or null with the reason in the log. */
  token(): Promise<string | null> {
    const provider = this.#provider;
    const account = this.#account;
    if (!provider || !account) return Promise.resolve(null);
    if (this.#granted && this.#now() < this.#granted.expires - EARLIER) return Promise.resolve(this.#granted.token);
    if (this.#now() - this.#failedAt < FAILURE_PAUSE) return Promise.resolve(null);
    this.#underWay ??= this.#renew(provider, account).finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #renew(provider: IdentityProvider, account: Account): Promise<string | null> {
    try {
      this.#granted = (await this.#refresh(provider)) ?? (await this.#signIn(provider, account));
      return this.#granted.token;
    } catch (error) {
      this.#granted = undefined;
      this.#failedAt = this.#now();
      this.#warn(error, provider, 'the service account got no token');
      return null;
    }
  }

  async #signIn(provider: IdentityProvider, { username, password }: Account): Promise<Granted> {
    const { service } = this.#dependencies;
    const { scope } = provider.client(service);
    const parameters = { username, password: password ?? '', scope };
    const granted = await grant(provider, service, 'password', parameters, this.#now());
    this.#signedInAt = this.#now();
    return granted;
  }

  /** Returns undefined when the account has to sign in. */
  async #refresh(provider: IdentityProvider): Promise<Granted | undefined> {
    const refreshToken = this.#granted?.refreshToken;
    if (refreshToken === undefined || this.#now() - this.#signedInAt >= REFRESH_LIFETIME) return undefined;
    try {
      const parameters = { refresh_token: refreshToken };
      const granted = await grant(provider, this.#dependencies.service, 'refresh_token', parameters, this.#now());
      return { ...granted, refreshToken: granted.refreshToken ?? refreshToken };
    } catch (error) {
      this.#warn(error, provider, 'the service account could not stay signed in; it signs in again');
      return undefined;
    }
  }

  #warn(error: unknown, { name }: IdentityProvider, message: string): void {
    const { service, log } = this.#dependencies;
    const told = error instanceof GrantFailure ? { code: error.code, detail: error.detail } : { err: error };
    log.warn({ ...told, service, provider: name }, message);
  }
}

function invalidAccounts(problem: string): InvalidInput {
  const at = 'auth.service_account';
  return new InvalidInput('invalid_setting', `${at} ${problem}.`, { at });
}
