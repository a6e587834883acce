import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { InvalidInput, Unauthenticated } from '../errors/errors.ts';
import { type Actor, PASSWORD_PRIVILEGES } from './actor.ts';
import { privilegedActors } from './actor-factory.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { originAt, type RequestOrigin } from './audit/audit-origin.ts';
import { auditRefusal } from './audit/refusals.ts';
import {
  Authenticator,
  type Caller,
  type CredentialRow,
  credentialRow,
  type PresentedCredentials,
  type ServiceTable,
} from './authenticator.ts';
import {
  type AppTokenCredential,
  type BasicCredential,
  missingCredential,
  readAppToken,
  readBasic,
  readImpersonation,
  readJsonWebToken,
} from './credentials.ts';
import type { IdentityLog } from './identity-log.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { KeyLogin } from './keys/key-login.ts';
import { LoginThrottle } from './limits/throttle.ts';
import { accountDisabled } from './login-refusals.ts';
import type { ProviderCallers } from './oauth/provider-callers.ts';
import type { TokenVerifier } from './oauth/token-verifier.ts';
import type { VerifiedToken } from './oauth/verified-token.ts';
import { PasswordLogin } from './passwords/password-login.ts';
import { SecondFactor } from './passwords/second-factor.ts';
import { AppTokens } from './sessions/app-tokens.ts';
import type { UserStore } from './user-store.ts';
import type { VerifiedCredentials } from './verified-credentials.ts';

export interface AlertIdentityDependencies {
  readonly users: UserStore;
  readonly credentials: VerifiedCredentials;
  readonly coordination: Pick<Coordination, 'tokens' | 'counters'>;
  readonly engine: ClassificationEngine;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
  readonly oauth: {
    readonly verifier: Pick<TokenVerifier, 'seen' | 'verify'>;
    readonly callers: Pick<ProviderCallers, 'identify'>;
  };
  readonly log: IdentityLog;
  readonly audit: AuditLog;
  /** Returns milliseconds; for tests. */
  readonly now?: () => number;
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
  readonly users: UserStore;
  readonly appTokens: AppTokens;
  readonly table: ServiceTable<Actor>;
  readonly #passwords: PasswordLogin;
  readonly #keys: KeyLogin;
  readonly #secondFactor: SecondFactor;
  readonly #authenticator: Authenticator<Actor>;
  readonly #dependencies: AlertIdentityDependencies;

  constructor(dependencies: AlertIdentityDependencies) {
    const { users, credentials, coordination, engine, settings, log, audit } = dependencies;
    const { auth } = settings;
    const now = dependencies.now ?? Date.now;
    const service = 'alerts';
    const throttle = new LoginThrottle({
      counters: coordination.counters,
      settings: auth.internal,
      audit,
      service,
    });
    this.users = users;
    this.appTokens = new AppTokens(coordination);
    this.#dependencies = dependencies;
    const login = { users, credentials, throttle, settings, now };
    this.#passwords = new PasswordLogin(login);
    this.#keys = new KeyLogin({ ...login, passwords: this.#passwords });
    this.#secondFactor = new SecondFactor({
      ...{ users, coordination, throttle, audit, now },
      settings: settings.analysis.auth,
    });
    this.table = {
      service,
      rows: [this.#basicRow(), this.#appTokenRow(), this.#providerTokenRow()],
      inNameOf: this.#impersonationRow(),
      missing: (presented) => {
        const header = presented.header('authorization');
        const error = missingCredential(header, 'A bearer token is either <user>:<token> or a JSON Web Token');
        return { error, claim: header ? {} : undefined };
      },
      disabled: accountDisabled,
      actors: privilegedActors({ engine, usersWithoutAccessControl: auth.users_without_access_control, log }),
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
    if (password && apikey) throw new InvalidInput('ambiguous_login', 'Cannot specify password and API key.');
    if (user && password) {
      const caller = await this.#passwords.verify(user, password, address);
      await this.#secondFactor.verify(caller.user, otp, address);
      return caller;
    }
    if (user && apikey) return this.#keys.verify(user, apikey, address);
    throw new Unauthenticated('incomplete_login', 'Not enough information to proceed with authentication');
  }

  #basicRow(): CredentialRow {
    return credentialRow<BasicCredential>({
      read: (presented) => readBasic(presented.header('authorization')),
      // The name of a key is left out: it may be half of a password.
      claim: ({ username, rest }) => ({ user: username, method: rest.includes(':') ? 'api_key' : 'password' }),
      verify: ({ username, rest }, { address }) => this.#keys.verifyBasic(username, rest, address),
    });
  }

  #appTokenRow(): CredentialRow {
    return credentialRow<AppTokenCredential>({
      read: (presented) => readAppToken(presented.header('authorization')),
      claim: ({ username }) => ({ user: username, method: 'app_token' }),
      verify: (credential) => this.#verifyAppToken(credential),
    });
  }

  #providerTokenRow(): CredentialRow {
    return credentialRow<string>({
      read: (presented) => readJsonWebToken(presented.header('authorization')),
      claim: () => ({ method: 'oauth' }),
      verify: async (token, from) => {
        const caller = await this.#dependencies.oauth.callers.identify(token, 'alerts', from);
        return { ...caller, privileges: PASSWORD_PRIVILEGES };
      },
    });
  }

  #impersonationRow(): CredentialRow {
    return credentialRow<string>({
      read: (presented) => presented.header('x-impersonating'),
      claim: (header, _presented, own) => {
        try {
          return { user: readImpersonation(header).username, impersonator: own?.user, method: 'api_key' };
        } catch {
          return own ?? {};
        }
      },
      verify: (header, { address }, sender) => {
        const { username, rest } = readImpersonation(header);
        return this.#keys.verifyImpersonation(username, rest, sender?.user.uname ?? '', address);
      },
    });
  }

  async #verifyAppToken({ username, secret }: AppTokenCredential): Promise<Caller> {
    if (secret === '') throw new Unauthenticated('no_authenticated_user', 'No authenticated user found');
    const token = await this.appTokens.find(username, secret);
    if (!token) throw new Unauthenticated('invalid_token', 'Invalid token');
    const user = await this.users.recent(username);
    if (!user) throw new Unauthenticated('no_authenticated_user', 'No authenticated user found');
    const { keyName } = token;
    const key = keyName === undefined ? undefined : this.#keys.livingKey(user, keyName);
    const isVoid = keyName !== undefined && key === undefined;
    if (isVoid || token.credentialFingerprint !== credentialFingerprint(user, keyName)) {
      throw new Unauthenticated('invalid_token', 'Invalid token');
    }
    // The key may have fewer privileges than when it was exchanged.
    const privileges = key ? token.privileges.filter((one) => key.acl.includes(one)) : token.privileges;
    return { user, method: 'app_token', privileges, keyName };
  }
}
