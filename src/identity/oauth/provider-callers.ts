import type { ServiceName } from '../actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { originAt, type RequestOrigin } from '../audit/audit-origin.ts';
import { attributed } from '../audit/refusals.ts';
import type { RecentUser } from '../user-store.ts';
import type { OAuthAccounts } from './oauth-accounts.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import type { TokenVerifier } from './token-verifier.ts';
import { actorNamed, authorisedParty, holderOfToken, isDelegated, type VerifiedToken } from './verified-token.ts';

export interface ProviderCallersDependencies {
  readonly registry: Pick<ProviderRegistry, 'find'>;
  readonly verifier: Pick<TokenVerifier, 'seen' | 'verify'>;
  readonly accounts: Pick<OAuthAccounts, 'userOf'>;
  readonly audit: AuditLog;
}

/** The user of an access token of a provider. The account may be switched off, which each service refuses in its own words. */
export interface ProviderCaller {
  readonly user: RecentUser;
  /** `oauth`: the user's own client sent it. `on_behalf_of`: another client calls in the user's name. */
  readonly method: 'oauth' | 'on_behalf_of';
  /** Who acts by the token's words: its actor, else its authorised party; undefined for `oauth`. */
  readonly impersonator: string | undefined;
  /** Authorised party: the client that the token was given to. */
  readonly azp: string | undefined;
  readonly verified: VerifiedToken;
  /** The security event that each call writes; undefined for `oauth`. */
  readonly event?: 'on_behalf_of_call' | undefined;
}

/**
 * Establishes who sends an access token of a provider, by one rule for all services. Writes `token_accepted` for each token that is new to the
 * service, and names the holder of a verified token in refusals. Safe for concurrent use.
 */
export class ProviderCallers {
  readonly #dependencies: ProviderCallersDependencies;
  readonly #accepted = new WeakSet<VerifiedToken>();

  constructor(dependencies: ProviderCallersDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the caller.
   * @param provider name of the provider that counts; undefined or empty: the issuer of the token names it
   * @throws Unauthenticated `invalid_token`, `token_expired`
   * @throws Forbidden `address_not_admitted`, and as `OAuthAccounts.userOf`
   * @throws Unavailable `identity_provider_unavailable`
   */
  async identify(
    token: string,
    service: ServiceName,
    from: RequestOrigin,
    provider?: string | undefined,
  ): Promise<ProviderCaller> {
    const { verifier, accounts, registry } = this.#dependencies;
    const only = provider ? { provider } : {};
    const verified = verifier.seen(token, service, only) ?? (await verifier.verify(token, service, only));
    try {
      // The other services get tokens from servers, which are not in the networks of the users.
      if (service === 'analysis') registry.find(verified.provider)?.rejectOtherNetworks(from.address);
      const user = await accounts.userOf(verified, service, from);
      const caller = this.#callerOf(verified, service, user);
      this.#reportFirst(caller, service, from);
      return caller;
    } catch (error) {
      throw attributed(error, holderOfToken(verified));
    }
  }

  /** Notes that the audit log has this token already, with the login that gave it out. */
  rememberReported(verified: VerifiedToken): void {
    this.#accepted.add(verified);
  }

  #callerOf(verified: VerifiedToken, service: ServiceName, user: RecentUser): ProviderCaller {
    const { claims, provider } = verified;
    const azp = authorisedParty(claims);
    const direct = !isDelegated(claims) && (azp === undefined || azp === this.#ownClient(provider, service));
    return {
      user,
      method: direct ? 'oauth' : 'on_behalf_of',
      impersonator: direct ? undefined : (actorNamed(claims) ?? azp ?? provider),
      azp,
      verified,
      event: direct ? undefined : 'on_behalf_of_call',
    };
  }

  /**
   * The client whose tokens are the user's own. Of a client that all services share, the analysis service cannot tell whether the user or another
   * service sends its tokens, so there it is nobody's.
   */
  #ownClient(name: string, service: ServiceName): string | undefined {
    const provider = this.#dependencies.registry.find(name);
    if (service === 'analysis') return provider?.settings.services.analysis.client_id ?? undefined;
    return provider?.client(service).clientId;
  }

  #reportFirst({ user, verified, method, impersonator }: ProviderCaller, service: ServiceName, from: RequestOrigin) {
    if (!user.is_active || this.#accepted.has(verified)) return;
    this.#accepted.add(verified);
    const { provider, subject, azp } = holderOfToken(verified);
    this.#dependencies.audit.write({
      event: 'token_accepted',
      ...originAt(service, from),
      ...{ user: user.uname, impersonator, method, provider, subject, azp },
    });
  }
}
