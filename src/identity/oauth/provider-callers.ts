import type { ServiceName } from '../actor.ts';
import { type AuditLog, attributed, originAt, type RequestOrigin } from '../audit/audit-log.ts';
import type { Caller } from '../authenticator.ts';
import type { RecentUser } from '../user-store.ts';
import type { OAuthAccounts } from './oauth-accounts.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import type { TokenVerifier } from './token-verifier.ts';
import { actorNamed, authorisedParty, holderOfToken, isDelegated, type VerifiedToken } from './verified-token.ts';

interface ProviderCallersDependencies {
  readonly registry: Pick<ProviderRegistry, 'find'>;
  readonly verifier: Pick<TokenVerifier, 'verify'>;
  readonly accounts: Pick<OAuthAccounts, 'userOf'>;
  readonly audit: AuditLog;
}

/** The user of an access token of a provider. Each service refuses disabled accounts itself. */
export interface ProviderCaller extends Omit<Caller, 'privileges'> {
  /** `oauth` for the client of the user, `on_behalf_of` for another (actor of the token, else `azp`). */
  readonly method: 'oauth' | 'on_behalf_of';
  readonly verified: VerifiedToken;
}

/**
 * Identifies callers by an access token of a provider, with one rule for all services. Audits each new
 * token (`token_accepted`), and attributes refusals to the holder of a verified one. Safe for concurrent use.
 */
export class ProviderCallers {
  readonly #dependencies: ProviderCallersDependencies;
  readonly #accepted = new WeakSet<VerifiedToken>();

  constructor(dependencies: ProviderCallersDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the caller. @param provider if undefined or empty, the issuer of the token determines it
   * @throws as `TokenVerifier.verify` and `OAuthAccounts.userOf`; Forbidden `address_not_admitted`
   */
  async identify(
    token: string,
    service: ServiceName,
    from: RequestOrigin,
    provider?: string | undefined,
  ): Promise<ProviderCaller> {
    const { verifier, accounts, registry } = this.#dependencies;
    const verified = await verifier.verify(token, service, provider || undefined);
    try {
      // The other services get tokens from servers outside the networks of the users.
      if (service === 'analysis') registry.find(verified.provider)?.rejectOtherNetworks(from.address);
      const user = await accounts.userOf(verified, service, from);
      const caller = this.#callerOf(verified, service, user);
      this.#reportFirst(caller, service, from);
      return caller;
    } catch (error) {
      throw attributed(error, holderOfToken(verified));
    }
  }

  /** Notes that the audit log has this token already, with its login. */
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

  /** Returns the client of a user's own tokens; a shared one cannot tell users from services: undefined. */
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
