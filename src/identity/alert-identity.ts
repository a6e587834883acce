import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { InvalidInput, isTriadError, Unauthenticated } from '../errors/errors.ts';
import type { Actor } from './actor.ts';
import { ActorFactory, type Grant } from './actor-factory.ts';
import type { AuditEvent, AuditLog } from './audit/audit-log.ts';
import { originAt, type RequestOrigin } from './audit/audit-origin.ts';
import { attributed, auditRefusal } from './audit/refusals.ts';
import { BasicLogin, type VerifiedUser } from './basic-login.ts';
import { readAuthorization, readImpersonation } from './credentials.ts';
import type { IdentityLog } from './identity-log.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { LoginThrottle } from './limits/throttle.ts';
import { accountDisabled } from './login-refusals.ts';
import { type ProviderCaller, type ProviderCallers, reportOnBehalfOfCall } from './oauth/provider-callers.ts';
import type { TokenVerifier } from './oauth/token-verifier.ts';
import { holderOfUser, type VerifiedToken } from './oauth/verified-token.ts';
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
  /** Those whom identity providers vouch for. */
  readonly oauth: {
    readonly verifier: Pick<TokenVerifier, 'seen' | 'verify'>;
    readonly callers: Pick<ProviderCallers, 'identify'>;
  };
  readonly log: IdentityLog;
  readonly audit: AuditLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** What a request brings to say who is calling. */
export interface PresentedCredentials extends RequestOrigin {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** The header `X-Impersonating`. */
  readonly impersonating: string | undefined;
  /** Accounts that are switched off are let in too: for the routes that tell them so. Default false. */
  readonly allowInactive?: boolean;
}

/** A verified user, and how a provider vouches for them, if it was asked. */
interface AlertCaller extends VerifiedUser {
  readonly provider?: ProviderCaller;
}

/** What a caller sends to log in. Empty texts count as missing. */
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

const OAUTH_GRANT: Grant = {
  method: 'oauth',
  privileges: ['R', 'W', 'E'],
  keyName: undefined,
  impersonator: undefined,
};

/**
 * Establishes who is calling the alert service. Safe for concurrent use. A user that was changed, switched off or deleted, and an API key that was
 * deleted, count as such at once in this process, after a second in others.
 */
export class AlertIdentity {
  readonly users: UserStore;
  readonly appTokens: AppTokens;
  readonly #actors: ActorFactory;
  readonly #basic: BasicLogin;
  readonly #secondFactor: SecondFactor;
  readonly #oauth: AlertIdentityDependencies['oauth'];
  readonly #log: IdentityLog;
  readonly #audit: AuditLog;

  constructor(dependencies: AlertIdentityDependencies) {
    const { users, credentials, coordination, engine, settings, log } = dependencies;
    const { auth } = settings;
    const now = dependencies.now ?? Date.now;
    this.users = users;
    this.appTokens = new AppTokens(coordination);
    this.#oauth = dependencies.oauth;
    this.#log = log;
    this.#audit = dependencies.audit;
    this.#actors = new ActorFactory({ engine, usersWithoutAccessControl: auth.users_without_access_control, log });
    const throttle = new LoginThrottle({
      counters: coordination.counters,
      settings: auth.internal,
      audit: this.#audit,
      service: 'alerts',
    });
    this.#basic = new BasicLogin({ users, credentials, throttle, settings: auth, now });
    this.#secondFactor = new SecondFactor({
      ...{ users, coordination, throttle, audit: this.#audit, now },
      settings: settings.analysis.auth,
    });
  }

  /**
   * Who sends these headers.
   * @throws InvalidInput `malformed_authorization`, `unknown_authorization_scheme`
   * @throws Unauthenticated `no_credentials`, `invalid_login`, `unknown_api_key`, `expired_api_key`, `locked_out`, `invalid_token`,
   *   `token_expired`, `no_authenticated_user`, `no_impersonated_user`
   * @throws Forbidden `impersonation_key_misused`, `not_an_impersonation_key`, `api_keys_disabled`, `password_login_disabled`,
   *   `account_disabled`, and as `ProviderCallers.identify`
   * @throws TooManyRequests `too_many_failed_logins`
   * @throws Unavailable `passwords_unavailable`, `app_tokens_unavailable` while coordination is gone; API keys go on
   */
  async authenticate(credentials: PresentedCredentials): Promise<Actor> {
    try {
      const caller = await this.#caller(credentials);
      this.#rejectInactive(caller, credentials.allowInactive);
      if (caller.provider?.method === 'on_behalf_of') {
        reportOnBehalfOfCall(this.#audit, 'alerts', credentials, caller.provider);
      }
      if (credentials.impersonating === undefined) return this.#actors.actorOf(caller.user, caller.grant);
      return await this.#impersonate(caller, credentials.impersonating, credentials);
    } catch (error) {
      this.#auditRefusal(error, {
        event: 'credential_refused',
        ...originAt('alerts', credentials),
        ...claimOf(credentials),
      });
      throw error;
    }
  }

  /**
   * Exchanges a password or an API key for an app token with the same privileges.
   * @throws InvalidInput `ambiguous_login` with both; Unauthenticated `incomplete_login`; otherwise as `authenticate`.
   */
  async login(request: LoginRequest): Promise<Login> {
    try {
      const verified = await this.#verifyLogin(request);
      this.#rejectInactive(verified, false);
      const actor = this.#actors.actorOf(verified.user, verified.grant);
      const appToken = await this.appTokens.issue({
        username: verified.user.uname,
        privileges: verified.grant.privileges,
        keyName: verified.grant.keyName,
        credentialFingerprint: credentialFingerprint(verified.user, verified.grant.keyName),
      });
      const { method, keyName: key } = actor;
      this.#audit.write({
        event: 'login_succeeded',
        ...originAt('alerts', request),
        user: actor.username,
        method,
        key,
      });
      return { actor, appToken };
    } catch (error) {
      const method = request.apikey ? 'api_key' : 'password';
      this.#auditRefusal(error, { event: 'login_failed', ...originAt('alerts', request), user: request.user, method });
      throw error;
    }
  }

  /**
   * What a token of an identity provider says, when it is good at the alert service.
   * @throws Unauthenticated `invalid_token`, `token_expired`; Unavailable `identity_provider_unavailable`
   */
  async tokenOf(token: string): Promise<VerifiedToken> {
    const { verifier } = this.#oauth;
    return verifier.seen(token, 'alerts') ?? (await verifier.verify(token, 'alerts'));
  }

  async #verifyLogin({ user, password, otp, apikey, address }: LoginRequest): Promise<VerifiedUser> {
    if (password && apikey) throw new InvalidInput('ambiguous_login', 'Cannot specify password and API key.');
    if (user && password) {
      const verified = await this.#basic.verifyPassword(user, password, address);
      await this.#secondFactor.verify(verified.user, otp, address);
      return verified;
    }
    if (user && apikey) return this.#basic.verifyKey(user, apikey, address);
    throw new Unauthenticated('incomplete_login', 'Not enough information to proceed with authentication');
  }

  async #caller(credentials: PresentedCredentials): Promise<AlertCaller> {
    const { authorization, address } = credentials;
    const credential = readAuthorization(authorization);
    switch (credential.kind) {
      case 'basic': {
        const verified = await this.#basic.verify(credential.username, credential.rest, address);
        if (verified.grant.method === 'password') this.#secondFactor.rejectPasswordAlone(verified.user);
        return verified;
      }
      case 'app_token':
        return this.#verifyAppToken(credential.username, credential.secret);
      case 'json_web_token':
        return this.#verifyJsonWebToken(credential.token, credentials);
    }
  }

  async #verifyAppToken(username: string, secret: string): Promise<VerifiedUser> {
    if (secret === '') throw new Unauthenticated('no_authenticated_user', 'No authenticated user found');
    const token = await this.appTokens.find(username, secret);
    if (!token) throw new Unauthenticated('invalid_token', 'Invalid token');
    const user = await this.users.recent(username);
    if (!user) throw new Unauthenticated('no_authenticated_user', 'No authenticated user found');
    const { keyName, privileges } = token;
    const key = keyName === undefined ? undefined : this.#basic.livingKey(user, keyName);
    const isVoid = keyName !== undefined && key === undefined;
    if (isVoid || token.credentialFingerprint !== credentialFingerprint(user, keyName)) {
      throw new Unauthenticated('invalid_token', 'Invalid token');
    }
    return {
      user,
      grant: {
        method: 'app_token',
        // The key may have got less meanwhile.
        privileges: key ? privileges.filter((privilege) => key.acl.includes(privilege)) : privileges,
        keyName,
        impersonator: undefined,
      },
    };
  }

  async #verifyJsonWebToken(token: string, from: PresentedCredentials): Promise<AlertCaller> {
    const provider = await this.#oauth.callers.identify(token, 'alerts', from);
    const { user, method, impersonator } = provider;
    const grant = method === 'oauth' ? OAUTH_GRANT : { ...OAUTH_GRANT, method, impersonator };
    return { user, grant, provider };
  }

  async #impersonate(caller: VerifiedUser, header: string, credentials: PresentedCredentials): Promise<Actor> {
    const { username, rest } = readImpersonation(header);
    const impersonator = caller.user.uname;
    const verified = await this.#basic.verifyImpersonation(username, rest, impersonator, credentials.address);
    this.#rejectInactive(verified, credentials.allowInactive);
    this.#log.warn(
      {
        user: verified.user.uname,
        impersonator,
        keyName: verified.grant.keyName,
        address: credentials.address,
        userAgent: credentials.userAgent,
        requestId: credentials.requestId,
      },
      `${impersonator} is impersonating ${verified.user.uname}`,
    );
    const { method, keyName: key } = verified.grant;
    const event = { event: 'impersonated', user: verified.user.uname, impersonator, method, key } as const;
    this.#audit.write({ ...originAt('alerts', credentials), ...event });
    return this.#actors.actorOf(verified.user, verified.grant);
  }

  #rejectInactive({ user, provider }: AlertCaller, allowed = false): void {
    if (user.is_active || allowed) return;
    throw attributed(accountDisabled(user.uname), holderOfUser(user, provider?.verified));
  }

  #auditRefusal(error: unknown, event: Omit<AuditEvent, 'code'>): void {
    // Callers without any credential are in the request log; here they would bury what matters.
    if (isTriadError(error) && error.code === 'no_credentials') return;
    auditRefusal({ log: this.#log, audit: this.#audit }, error, event);
  }
}

/** Who these credentials claim to be, as far as it can be read. The name of a key is not told: it may be half of a password. */
function claimOf({
  authorization,
  impersonating,
}: PresentedCredentials): Pick<AuditEvent, 'user' | 'impersonator' | 'method'> {
  const caller = readable(() => readAuthorization(authorization));
  const target = impersonating === undefined ? undefined : readable(() => readImpersonation(impersonating));
  const username = caller !== undefined && 'username' in caller ? caller.username : undefined;
  if (target !== undefined) return { user: target.username, impersonator: username, method: 'api_key' };
  if (caller?.kind === 'basic') return { user: username, method: caller.rest.includes(':') ? 'api_key' : 'password' };
  return { user: username, method: caller?.kind === 'json_web_token' ? 'oauth' : caller?.kind };
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
