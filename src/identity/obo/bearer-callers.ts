import type { ClassificationEngine } from '../../classification/classification.ts';
import { ANALYSIS_ROLES_OF_PRIVILEGES, type AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { Forbidden, isTriadError, Unauthenticated } from '../../errors/errors.ts';
import { clearanceOf } from '../accounts/read-access.ts';
import { attributed, type RequestOrigin } from '../audit/audit-log.ts';
import type { Caller } from '../authenticator.ts';
import type { IdentityLog } from '../identity-log.ts';
import { type InstallationTokens, looksLikeInstallationToken } from '../installation-tokens/installation-tokens.ts';
import type { ProviderCallers } from '../oauth/provider-callers.ts';
import type { ProviderRegistry } from '../oauth/provider-registry.ts';
import { holderOfToken } from '../oauth/verified-token.ts';
import { looksLikeOwnToken, type OwnTokens } from './own-tokens.ts';

export interface BearerCallersDependencies {
  readonly registry: Pick<ProviderRegistry, 'find'>;
  readonly providerCallers: Pick<ProviderCallers, 'identify'>;
  readonly ownTokens: Pick<OwnTokens, 'verify'>;
  readonly installationTokens: Pick<InstallationTokens, 'verify'>;
  readonly engine: ClassificationEngine;
  readonly log: IdentityLog;
}

/** A request to the analysis service with `Authorization: Bearer <token>`. */
export interface BearerCall extends RequestOrigin {
  /** The part after `Bearer `. */
  readonly token: string;
  /** Header X-TOKEN-PROVIDER. If it is missing or empty, the issuer of the token determines the provider. */
  readonly provider: string | undefined;
  /** Caller of the other credential, X-USER with X-APIKEY or a session, if there is one. */
  readonly sender: Caller | undefined;
}

/** The user of a request; the account may be disabled. `impersonator`: the sender, else the token's. */
type BearerCaller = Caller & { readonly rolesLimit: ReadonlySet<AnalysisRole> };

/** Rights of tokens of providers, without account changes (contract/analysis.md section 2.6). */
const PROVIDER_TOKEN_ROLES: ReadonlySet<AnalysisRole> = new Set<AnalysisRole>([
  ...ANALYSIS_ROLES_OF_PRIVILEGES.R,
  ...ANALYSIS_ROLES_OF_PRIVILEGES.W,
]);

/**
 * Identifies callers of the analysis service with a bearer token. A token of a provider is sufficient,
 * from the user's own client or another service; beside another credential, its sender acts on behalf of the user. A
 * token that the analysis service issued requires the credential of its client; one of the installation can stand beside
 * any. Safe for concurrent use.
 */
export class BearerCallers {
  readonly #dependencies: BearerCallersDependencies;

  constructor(dependencies: BearerCallersDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the user of the token.
   * @throws Unauthenticated for an invalid token alone; `on_behalf_of_client_missing` when it requires its client
   * @throws Forbidden `on_behalf_of_refused` when it is invalid beside another credential; `not_an_impersonator` when the sender
   *   may not act for others; `address_not_admitted`; and as `OAuthAccounts.userOf`
   * @throws Unavailable while the keys of the provider are unavailable
   */
  async identify(call: BearerCall): Promise<BearerCaller> {
    const { token, provider, sender } = call;
    const isOwn = !provider && looksLikeOwnToken(token);
    const isOfInstallation = looksLikeInstallationToken(token);
    if (sender === undefined) {
      if (!provider && isOfInstallation) return this.#ofInstallation(token);
      if (!isOwn) return this.ofProvider(token, provider, call);
      throw new Unauthenticated(
        'on_behalf_of_client_missing',
        'This token is good only together with the credential of the client that it was given to. Send X-USER and X-APIKEY too.',
      );
    }
    try {
      // Clients that act for others name their provider with every token, which this one is not of.
      if (isOfInstallation) return this.#limited(await this.#ofInstallation(token), sender);
      const caller = isOwn ? await this.#ofOwnToken(token, sender) : await this.ofProvider(token, provider, call);
      return this.#limited(caller, sender);
    } catch (error) {
      // Beside a valid credential, an invalid token is a 403 (contract/analysis.md section 1.2).
      if (!isTriadError(error) || error.kind === 'unavailable' || error.kind === 'forbidden') throw error;
      throw new Forbidden('on_behalf_of_refused', error.message, { cause: error });
    }
  }

  /**
   * Returns the user of a token of a provider, also for a login that exchanges it for a session.
   * @param provider if undefined or empty, the issuer determines it @throws as `identify` without another credential
   */
  async ofProvider(token: string, provider: string | undefined, from: RequestOrigin): Promise<BearerCaller> {
    if (provider) this.#rejectProvider(provider);
    const identified = await this.#dependencies.providerCallers.identify(token, 'analysis', from, provider);
    const { verified } = identified;
    return {
      ...identified,
      privileges: [],
      rolesLimit: PROVIDER_TOKEN_ROLES,
      provider: verified.provider,
      credentialEnds: verified.expires,
    };
  }

  /** @throws Unauthenticated `invalid_token` when the provider does not admit tokens with its name */
  #rejectProvider(name: string): void {
    if (this.#dependencies.registry.find(name)?.settings.allow_external_tokens) return;
    throw new Unauthenticated('invalid_token', `Tokens of the provider ${name} are not taken here.`);
  }

  async #ofOwnToken(token: string, sender: Caller): Promise<BearerCaller> {
    const own = await this.#dependencies.ownTokens.verify(token);
    if (own.clientId !== sender.user.uname) {
      throw new Forbidden(
        'on_behalf_of_refused',
        `Invalid OBO token - ${sender.user.uname} is not allowed to use this token`,
      );
    }
    return {
      user: own.user,
      method: 'on_behalf_of',
      privileges: [],
      event: 'on_behalf_of_call',
      rolesLimit: own.roles,
      impersonator: own.clientId,
      azp: own.clientId,
    };
  }

  /** Returns the user for whom another service of this installation calls. */
  async #ofInstallation(token: string): Promise<BearerCaller> {
    const caller = await this.#dependencies.installationTokens.verify(token, 'analysis');
    const roles = caller.privileges.flatMap((one) => (one === 'I' ? [] : ANALYSIS_ROLES_OF_PRIVILEGES[one]));
    return { ...caller, privileges: [], rolesLimit: new Set(roles) };
  }

  /** Limits the caller to the rights of both. @throws Forbidden `not_an_impersonator` */
  #limited(caller: BearerCaller, sender: Caller): BearerCaller {
    const { user, rolesLimit } = sender;
    if (user.uname !== caller.user.uname && user.can_impersonate !== true) {
      const refusal = new Forbidden(
        'not_an_impersonator',
        `${user.uname} may not call in the name of others. An administrator can allow it (can_impersonate).`,
      );
      throw attributed(refusal, caller.verified && holderOfToken(caller.verified));
    }
    return {
      ...caller,
      method: 'on_behalf_of',
      event: 'on_behalf_of_call',
      keyName: sender.keyName,
      rolesLimit: rolesLimit ? caller.rolesLimit.intersection(rolesLimit) : caller.rolesLimit,
      classificationLimit: clearanceOf(user, this.#dependencies.engine, this.#dependencies.log),
      impersonator: user.uname,
    };
  }
}
