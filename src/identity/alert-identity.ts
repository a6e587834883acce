import { InvalidInput, Unauthenticated } from '../errors/errors.ts';
import { type Actor, PASSWORD_PRIVILEGES } from './actor.ts';
import { privilegedActors } from './actor-factory.ts';
import { auditRefusal, originAt, type RequestOrigin } from './audit/audit-log.ts';
import { Authenticator, type Caller } from './authenticator.ts';
import {
  appTokenRow,
  basicRow,
  impersonationRow,
  missingAuthorization,
  providerTokenRow,
  readAppToken,
  readJsonWebToken,
} from './credential-rows.ts';
import { installationTokenRow } from './installation-tokens/installation-token-row.ts';
import type { InstallationTokens } from './installation-tokens/installation-tokens.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { accountDisabled } from './login-refusals.ts';
import { type IdentityDependencies, loginVerifiers } from './login-verifiers.ts';
import type { ProviderCallers } from './oauth/provider-callers.ts';
import type { TokenVerifier } from './oauth/token-verifier.ts';
import type { VerifiedToken } from './oauth/verified-token.ts';
import type { GivenSecondFactor } from './second-factors/second-factors.ts';
import { AppTokens } from './sessions/app-tokens.ts';
import { webSessionRow } from './web-session-row.ts';

export interface AlertIdentityDependencies extends IdentityDependencies {
  readonly oauth: {
    readonly verifier: Pick<TokenVerifier, 'verify'>;
    readonly callers: Pick<ProviderCallers, 'identify'>;
  };
  readonly installationTokens: Pick<InstallationTokens, 'verify'>;
}

/** The input of a login. Empty strings count as missing. */
export interface LoginRequest extends RequestOrigin, GivenSecondFactor {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** `<key name>:<secret>` */
  readonly apikey?: string | undefined;
}

/**
 * Identifies the callers of the alert service. Safe for concurrent use. Changed, disabled and deleted
 * users and deleted API keys count as such at once in this process, after a second in others.
 *
 * `authenticate` throws InvalidInput `malformed_authorization`, `unknown_authorization_scheme`; Unauthenticated
 * `no_credentials`, `invalid_login`, `unknown_api_key`, `expired_api_key`, `locked_out`, `invalid_token`, `token_expired`,
 * `no_authenticated_user`, `no_impersonated_user`; Forbidden `impersonation_key_misused`, `not_an_impersonation_key`,
 * `api_keys_disabled`, `password_login_disabled`, `account_disabled`, and as `ProviderCallers.identify`; TooManyRequests
 * `too_many_failed_logins`; and, except for API keys, Unavailable `passwords_unavailable`, `app_tokens_unavailable`.
 */
export class AlertIdentity extends Authenticator<Actor> {
  readonly appTokens: AppTokens;
  readonly #logins: ReturnType<typeof loginVerifiers>;
  readonly #dependencies: AlertIdentityDependencies;

  constructor(dependencies: AlertIdentityDependencies) {
    const { users, webSessions, coordination, oauth } = dependencies;
    const service = 'alerts';
    const appTokens = new AppTokens(coordination);
    const logins = loginVerifiers(service, dependencies);
    const { keys } = logins;
    const rows = [
      webSessionRow({ users, webSessions, keys }),
      basicRow(keys),
      appTokenRow({ appTokens, users, keys }),
      installationTokenRow(dependencies.installationTokens, service),
      providerTokenRow(oauth.callers, service, PASSWORD_PRIVILEGES),
    ];
    const inNameOf = impersonationRow(keys);
    const missing = missingAuthorization('A bearer token is either <user>:<token> or a JSON Web Token');
    const actors = privilegedActors(dependencies);
    super({ service, rows, inNameOf, missing, disabled: accountDisabled, actors }, dependencies);
    this.appTokens = appTokens;
    this.#dependencies = dependencies;
    this.#logins = logins;
  }

  /** Exchanges a login for an app token; throws `ambiguous_login`, `incomplete_login`, as `authenticate`. */
  async login(request: LoginRequest) {
    const { audit, log } = this.#dependencies;
    const origin = originAt('alerts', request);
    try {
      const caller = await this.#verifyLogin(request);
      const actor = this.admit(caller);
      const { keyName, privileges, method } = caller;
      const appToken = await this.appTokens.issue({
        username: actor.username,
        privileges,
        keyName,
        credentialFingerprint: credentialFingerprint(caller.user, keyName),
      });
      audit.write({ event: 'login_succeeded', ...origin, user: actor.username, method, key: keyName });
      return { actor, appToken };
    } catch (error) {
      const method = request.apikey ? 'api_key' : 'password';
      auditRefusal({ log, audit }, error, { event: 'login_failed', ...origin, user: request.user, method });
      throw error;
    }
  }

  /** Returns the provider's token in `Authorization`, if any; throws `invalid_token`, `token_expired`. */
  async tokenOf(authorization: string | undefined): Promise<VerifiedToken | undefined> {
    const token = readJsonWebToken(authorization);
    return token === undefined ? undefined : this.#dependencies.oauth.verifier.verify(token, 'alerts');
  }

  /** Revokes the app token in `Authorization`, if any. @throws Unavailable `app_tokens_unavailable` */
  async revokeAppToken(authorization: string | undefined): Promise<void> {
    const token = readAppToken(authorization);
    if (token !== undefined) await this.appTokens.revoke(token.username, token.secret);
  }

  async #verifyLogin(request: LoginRequest): Promise<Caller> {
    const { user, password, apikey, address } = request;
    const { passwords, keys, secondFactors } = this.#logins;
    if (password && apikey) throw new InvalidInput('ambiguous_login', 'Cannot specify password and API key.');
    if (user && password) {
      const caller = await passwords.verify(user, password, address);
      await secondFactors.verify(caller.user, request, address);
      return caller;
    }
    if (user && apikey) return keys.verify(user, apikey, address);
    throw new Unauthenticated('incomplete_login', 'Not enough information to proceed with authentication');
  }
}
