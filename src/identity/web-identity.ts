import { isTriadError, Unauthenticated } from '../errors/errors.ts';
import type { Actor } from './actor.ts';
import { privilegedActors } from './actor-factory.ts';
import { auditRefusal, originAt, type RequestOrigin } from './audit/audit-log.ts';
import { Authenticator, type Caller } from './authenticator.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { accountDisabled } from './login-refusals.ts';
import { type IdentityDependencies, loginVerifiers } from './login-verifiers.ts';
import type { GivenSecondFactor } from './second-factors/second-factors.ts';
import { agentMark } from './sessions/analysis-sessions.ts';
import type { WebSession, WebSessionOpening, WebSessions } from './sessions/web-sessions.ts';
import type { RecentUser } from './user-store.ts';
import { findWebCaller, sessionEnded, webSessionRow } from './web-session-row.ts';

export interface WebIdentityDependencies extends IdentityDependencies {
  readonly webSessions: WebSessions;
}

/** A sign-in at the web interface with a credential of the account. */
export type WebLoginRequest = RequestOrigin &
  (
    | {
        readonly method: 'password';
        readonly user: string;
        readonly password: string;
        readonly factor: GivenSecondFactor;
      }
    | {
        readonly method: 'apikey';
        readonly user: string;
        /** `<key name>:<secret>` */
        readonly apikey: string;
      }
  );

/** A session with its cookie, which is returned once. */
export interface OpenedWebSession {
  readonly cookie: string;
  readonly username: string;
}

/**
 * Signs users in at the web interface, and identifies the callers of its own routes: those who have a
 * session. Safe for concurrent use.
 */
export class WebIdentity extends Authenticator<Actor> {
  readonly sessions: WebSessions;
  readonly #dependencies: WebIdentityDependencies;
  readonly #logins: ReturnType<typeof loginVerifiers>;

  constructor(dependencies: WebIdentityDependencies) {
    const service = 'web';
    const { users, webSessions } = dependencies;
    const logins = loginVerifiers(service, dependencies);
    const row = webSessionRow({ users, webSessions, keys: logins.keys });
    const missing = () => ({ error: sessionEnded(), claim: undefined });
    const actors = privilegedActors(dependencies);
    super({ service, rows: [row], missing, disabled: accountDisabled, actors }, dependencies);
    this.sessions = webSessions;
    this.#dependencies = dependencies;
    this.#logins = logins;
  }

  /**
   * Verifies a credential and opens a session. @throws Unauthenticated `invalid_login`, `locked_out`,
   * `second_factor_required`, `wrong_one_time_password`, `wrong_security_token`, and the refusals of keys; Forbidden
   * `password_login_disabled`, `api_keys_disabled`, `impersonation_key_misused`, `account_disabled`; TooManyRequests
   * `too_many_failed_logins`; Unavailable `passwords_unavailable`, `too_many_logins`, `sessions_unavailable`
   */
  async login(request: WebLoginRequest): Promise<OpenedWebSession> {
    const origin = originAt('web', request);
    const method = request.method === 'apikey' ? 'api_key' : 'password';
    try {
      const caller = await this.#verify(request);
      const { username } = this.admit(caller);
      const opened = await this.#open(caller.user, { openedWith: method, keyName: caller.keyName }, request);
      const { keyName: key } = caller;
      this.#dependencies.audit.write({ event: 'login_succeeded', ...origin, user: username, method, key });
      return opened;
    } catch (error) {
      const event = { event: 'login_failed', ...origin, user: request.user, method } as const;
      if (!isQuestion(error)) auditRefusal(this.#dependencies, error, event);
      throw error;
    }
  }

  /** Opens a session for a user who signed in at a provider. @throws Unavailable `sessions_unavailable` */
  openOfProvider(user: RecentUser, provider: string, origin: RequestOrigin): Promise<OpenedWebSession> {
    return this.#open(user, { openedWith: 'provider', provider }, origin);
  }

  /** Returns the session of a cookie and its user; undefined if it ended or the account is disabled. */
  async sessionOf(cookie: string): Promise<{ readonly session: WebSession; readonly actor: Actor } | undefined> {
    const { users, webSessions } = this.#dependencies;
    const found = await findWebCaller({ users, webSessions, keys: this.#logins.keys }, cookie);
    if (found === undefined || !found.caller.user.is_active) return undefined;
    return { session: found.session, actor: this.table.actors.actorOf(found.caller) };
  }

  /** Ends the session of a cookie, if there is one. @throws Unavailable `sessions_unavailable` */
  async logout(cookie: string, origin: RequestOrigin): Promise<void> {
    const ended = await this.sessions.end(cookie);
    if (ended === undefined) return;
    const { username: user, keyName: key, provider } = ended;
    this.#dependencies.audit.write({ event: 'logout', ...originAt('web', origin), user, key, provider });
  }

  async #verify(request: WebLoginRequest): Promise<Caller> {
    const { people, keys } = this.#logins;
    const { user: username, address } = request;
    if (request.method === 'apikey') return keys.verify(username, request.apikey, address);
    const login = await people.verify(username, request.password, request.factor, address);
    if (login.outcome === 'verified') return login.caller;
    const { kinds, challenge } = login;
    throw new Unauthenticated(
      'second_factor_required',
      'This account has a second factor. Enter its code, or use the security key.',
      {
        response: { second_factors: kinds, challenge },
      },
    );
  }

  async #open(
    user: RecentUser,
    opened: Pick<WebSessionOpening, 'openedWith' | 'keyName' | 'provider'>,
    { address, userAgent }: RequestOrigin,
  ): Promise<OpenedWebSession> {
    const { uname: username } = user;
    const fingerprint = credentialFingerprint(user, opened.keyName);
    const browser = { address, userAgent: agentMark(userAgent) };
    const cookie = await this.sessions.open({ username, ...opened, credentialFingerprint: fingerprint, ...browser });
    return { cookie, username };
  }
}

/** Returns whether a refusal asks for one more thing instead of rejecting what was sent. */
function isQuestion(error: unknown): boolean {
  return isTriadError(error) && error.code === 'second_factor_required';
}
