import { InvalidInput, Unauthenticated } from '../errors/errors.ts';
import { type Actor, PASSWORD_PRIVILEGES } from './actor.ts';
import { privilegedActors } from './actor-factory.ts';
import { originAt, type RequestOrigin } from './audit/audit-origin.ts';
import { auditRefusal } from './audit/refusals.ts';
import { Authenticator, type Caller, type PresentedCredentials, type ServiceTable } from './authenticator.ts';
import {
  appTokenRow,
  basicRow,
  impersonationRow,
  missingAuthorization,
  providerTokenRow,
  readAppToken,
} from './credential-rows.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { accountDisabled } from './login-refusals.ts';
import { type IdentityDependencies, loginVerifiers } from './login-verifiers.ts';
import type { ProviderCallers } from './oauth/provider-callers.ts';
import type { TokenVerifier } from './oauth/token-verifier.ts';
import type { VerifiedToken } from './oauth/verified-token.ts';
import { AppTokens } from './sessions/app-tokens.ts';

export interface AlertIdentityDependencies extends IdentityDependencies {
  readonly oauth: {
    readonly verifier: Pick<TokenVerifier, 'seen' | 'verify'>;
    readonly callers: Pick<ProviderCallers, 'identify'>;
  };
}

/** The input of a login. Empty strings count as missing. */
export interface LoginRequest extends RequestOrigin {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** One-time password, of users who have set that up at the analysis service. */
  readonly otp?: string | undefined;
  /** `<key name>:<secret>` */
  readonly apikey?: string | undefined;
}

export interface Login {
  readonly actor: Actor;
  /** `<username>:<token>`, good for an hour as `Bearer`. */
  readonly appToken: string;
}

/**
 * Identifies the callers of the alert service. Safe for concurrent use. A user that was changed,
 * disabled or deleted, and an API key that was deleted, count as such at once in this process, after a
 * second in others.
 */
export class AlertIdentity {
  readonly appTokens: AppTokens;
  readonly table: ServiceTable<Actor>;
  readonly #logins: ReturnType<typeof loginVerifiers>;
  readonly #authenticator: Authenticator<Actor>;
  readonly #dependencies: AlertIdentityDependencies;

  constructor(dependencies: AlertIdentityDependencies) {
    const { users, coordination, engine, settings, log, audit, oauth } = dependencies;
    const service = 'alerts';
    this.appTokens = new AppTokens(coordination);
    this.#dependencies = dependencies;
    this.#logins = loginVerifiers(service, dependencies);
    const { keys } = this.#logins;
    const usersWithoutAccessControl = settings.auth.users_without_access_control;
    this.table = {
      service,
      rows: [
        basicRow(keys),
        appTokenRow({ appTokens: this.appTokens, users, keys }),
        providerTokenRow(oauth.callers, service, PASSWORD_PRIVILEGES),
      ],
      inNameOf: impersonationRow(keys),
      missing: missingAuthorization('A bearer token is either <user>:<token> or a JSON Web Token'),
      disabled: accountDisabled,
      actors: privilegedActors({ engine, usersWithoutAccessControl, log }),
    };
    this.#authenticator = new Authenticator(this.table, { audit, log });
  }

  /**
   * Returns the actor of a request.
   * @throws InvalidInput `malformed_authorization`, `unknown_authorization_scheme`
   * @throws Unauthenticated `no_credentials`, `invalid_login`, `unknown_api_key`, `expired_api_key`, `locked_out`, `invalid_token`,
   *   `token_expired`, `no_authenticated_user`, `no_impersonated_user`
   * @throws Forbidden `impersonation_key_misused`, `not_an_impersonation_key`, `api_keys_disabled`, `password_login_disabled`,
   *   `account_disabled`, and as `ProviderCallers.identify`
   * @throws TooManyRequests `too_many_failed_logins`
   * @throws Unavailable `passwords_unavailable`, `app_tokens_unavailable` while coordination is unavailable, which API keys do not need
   */
  authenticate(presented: PresentedCredentials): Promise<Actor> {
    return this.#authenticator.authenticate(presented);
  }

  /**
   * Exchanges a password or an API key for an app token with the same privileges.
   * @throws InvalidInput `ambiguous_login` with both; Unauthenticated `incomplete_login`; otherwise as `authenticate`.
   */
  async login(request: LoginRequest): Promise<Login> {
    const { audit, log } = this.#dependencies;
    const origin = originAt('alerts', request);
    try {
      const caller = await this.#verifyLogin(request);
      const actor = this.#authenticator.admit(caller);
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

  /**
   * Returns the claims of a token of an identity provider that is good at the alert service.
   * @throws Unauthenticated `invalid_token`, `token_expired`; Unavailable `identity_provider_unavailable`
   */
  async tokenOf(token: string): Promise<VerifiedToken> {
    const { verifier } = this.#dependencies.oauth;
    return verifier.seen(token, 'alerts') ?? (await verifier.verify(token, 'alerts'));
  }

  /**
   * Revokes the app token in a header `Authorization`, if any.
   * @throws Unavailable `app_tokens_unavailable`
   */
  async revokeAppToken(authorization: string | undefined): Promise<void> {
    const token = readAppToken(authorization);
    if (token !== undefined) await this.appTokens.revoke(token.username, token.secret);
  }

  async #verifyLogin({ user, password, otp, apikey, address }: LoginRequest): Promise<Caller> {
    const { passwords, keys, secondFactor } = this.#logins;
    if (password && apikey) throw new InvalidInput('ambiguous_login', 'Cannot specify password and API key.');
    if (user && password) {
      const caller = await passwords.verify(user, password, address);
      await secondFactor.verify(caller.user, otp, address);
      return caller;
    }
    if (user && apikey) return keys.verify(user, apikey, address);
    throw new Unauthenticated('incomplete_login', 'Not enough information to proceed with authentication');
  }
}
