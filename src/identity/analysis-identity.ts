import { timingSafeEqual } from 'node:crypto';
import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { Forbidden, Unauthenticated } from '../errors/errors.ts';
import {
  type AnalysisActor,
  AnalysisActors,
  type AnalysisCaller,
  type AnalysisCredentials,
} from './analysis-actors.ts';
import { AnalysisKeyLogin, KeyUses } from './analysis-key-login.ts';
import { type AnalysisLogin, type AnalysisLoginRequest, AnalysisLogins } from './analysis-logins.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { originAt } from './audit/audit-origin.ts';
import { attributed, auditRefusal } from './audit/refusals.ts';
import { BasicLogin } from './basic-login.ts';
import type { IdentityLog } from './identity-log.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { LoginThrottle } from './limits/throttle.ts';
import { holderOfUser } from './oauth/verified-token.ts';
import type { BearerCallers } from './obo/bearer-callers.ts';
import { SecondFactor } from './passwords/second-factor.ts';
import {
  type AnalysisSession,
  AnalysisSessions,
  agentMark,
  type FoundSession,
  type OnBehalfOf,
} from './sessions/analysis-sessions.ts';
import { SignInTickets } from './sessions/sign-in-tickets.ts';
import type { RecentUser, UserStore } from './user-store.ts';
import type { VerifiedCredentials } from './verified-credentials.ts';

/** Names of the cookies of a session. */
export const SESSION_COOKIE = 'session';
export const XSRF_COOKIE = 'XSRF-TOKEN';

export interface AnalysisIdentityDependencies {
  readonly users: UserStore;
  readonly credentials: VerifiedCredentials;
  readonly coordination: Pick<Coordination, 'tokens' | 'counters'>;
  readonly engine: ClassificationEngine;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
  /** Whose call a request with a bearer token is. */
  readonly bearerCallers: Pick<BearerCallers, 'identify' | 'ofProvider'>;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/**
 * Establishes who is calling the analysis service. Safe for concurrent use. A user that was changed, switched off or deleted, a key that
 * was revoked and a session that was ended count as such at once in this process, after a second in others.
 *
 * Refusals of `authenticate` have no `response`: the service adds its own (contract/analysis.md section 1.2, 401 and 403) and, at a 401,
 * takes the cookies back. Refusals of `login` have the response `''`, which goes out as it is.
 */
export class AnalysisIdentity {
  readonly secondFactor: SecondFactor;
  /** For browsers that come back from an identity provider. */
  readonly tickets: SignInTickets;
  readonly #dependencies: AnalysisIdentityDependencies;
  readonly #actors: AnalysisActors;
  readonly #keys: AnalysisKeyLogin;
  readonly #sessions: AnalysisSessions;
  readonly #logins: AnalysisLogins;

  constructor(dependencies: AnalysisIdentityDependencies) {
    const { users, credentials, coordination, settings, audit, engine, log } = dependencies;
    const now = dependencies.now ?? Date.now;
    const throttle = new LoginThrottle({
      counters: coordination.counters,
      settings: settings.auth.internal,
      audit,
      service: 'analysis',
    });
    const basic = new BasicLogin({ users, credentials, throttle, settings, now });
    const { tokens } = coordination;
    this.#dependencies = dependencies;
    this.#actors = new AnalysisActors({ engine: engine.whenNotEnforced('unrestricted'), log });
    this.#keys = new AnalysisKeyLogin({ basic, actors: this.#actors, uses: new KeyUses({ users, log, now }) });
    this.#sessions = new AnalysisSessions({
      tokens,
      credentials,
      duration: settings.analysis.ui.session_duration,
      now,
    });
    this.secondFactor = new SecondFactor({
      ...{ users, coordination, throttle, audit, now },
      settings: settings.analysis.auth,
    });
    this.tickets = new SignInTickets(coordination);
    this.#logins = new AnalysisLogins({
      ...dependencies,
      basic,
      keys: this.#keys,
      actors: this.#actors,
      sessions: this.#sessions,
      secondFactor: this.secondFactor,
      tickets: this.tickets,
    });
  }

  /**
   * Who sends this: by `X-USER` and `X-APIKEY`, else by the session, else by bearer token alone; a bearer token beside another credential
   * makes that one call in somebody's name.
   * @throws Unauthenticated `invalid_login`, `api_keys_disabled`, `api_key_owner_inactive`, `api_keys_not_allowed`, `session_not_found`,
   *   `session_expired`, `session_moved`, `unknown_user`, and as `BearerCallers.identify`
   * @throws Forbidden `invalid_xsrf_token`, `account_disabled`, and as `BearerCallers.identify`
   * @throws TooManyRequests `too_many_failed_logins` to addresses that try keys
   * @throws Unavailable `sessions_unavailable` while coordination is gone; API keys go on
   */
  async authenticate(credentials: AnalysisCredentials): Promise<AnalysisActor> {
    try {
      const caller = await this.#callerOf(credentials);
      this.#rejectInactive(caller, credentials.allowInactive);
      return this.#actors.actorOf(caller);
    } catch (error) {
      this.#auditRefused(error, credentials);
      throw error;
    }
  }

  /** Verifies a credential and opens a session. @throws as `AnalysisLogins.login` */
  login(request: AnalysisLoginRequest): Promise<AnalysisLogin> {
    return this.#logins.login(request);
  }

  /**
   * Ends a session; nothing happens when there is none.
   * @param actor who was let in with it
   * @throws Unavailable `sessions_unavailable`
   */
  async logout(actor: Pick<AnalysisActor, 'username'>, credentials: AnalysisCredentials): Promise<void> {
    if (!credentials.session || !(await this.#sessions.end(credentials.session))) return;
    this.#dependencies.audit.write({ event: 'logout', ...originAt('analysis', credentials), user: actor.username });
  }

  async #callerOf(credentials: AnalysisCredentials): Promise<AnalysisCaller> {
    const { user: username, apikey, session, address, authorization } = credentials;
    const token = bearerToken(authorization);
    const byKey = username !== undefined && username !== '' && apikey !== undefined && apikey !== '';
    let caller: AnalysisCaller | undefined;
    if (byKey) caller = await this.#keys.verify({ username, apikey, address }, 'of_address');
    else if (session || token === undefined) caller = await this.#bySession(credentials);
    if (token === undefined && caller) return caller;
    // A client that is switched off calls for nobody.
    if (caller) this.#rejectInactive(caller);
    return this.#byToken(token ?? '', caller, credentials);
  }

  #byToken(
    token: string,
    sender: AnalysisCaller | undefined,
    { tokenProvider: provider, address, userAgent, requestId, call }: AnalysisCredentials,
  ): Promise<AnalysisCaller> {
    return this.#dependencies.bearerCallers.identify({ token, provider, sender, address, userAgent, requestId, call });
  }

  async #bySession(credentials: AnalysisCredentials): Promise<AnalysisCaller> {
    const session = credentials.session ? await this.#sessions.find(credentials.session) : undefined;
    if (session === undefined) throw new Unauthenticated('session_not_found', 'Session not found');
    this.#rejectMoved(session, credentials);
    const limited = session.keyName !== undefined || session.rolesLimit !== undefined;
    // What a key or a token opened is limited, and other sites cannot read such a session's answers; only full sessions need the token.
    if (!limited && credentials.checkXsrf && !isSame(session.xsrfToken, credentials.xsrfToken)) {
      throw new Forbidden('invalid_xsrf_token', 'Invalid XSRF token');
    }
    const user = await this.#dependencies.users.recent(session.username);
    if (!user) throw new Unauthenticated('unknown_user', `User ${session.username} does not exists`);
    const caller = this.#ofSession(user, session);
    if (!caller) throw new Unauthenticated('session_expired', 'Session expired');
    if (session.onBehalfOf) this.#auditOnBehalfOf(session.onBehalfOf, caller, credentials);
    return caller;
  }

  /** As for the token itself: a session does not hide who calls. */
  #auditOnBehalfOf(client: OnBehalfOf, { user, method }: AnalysisCaller, credentials: AnalysisCredentials): void {
    const event = { event: 'on_behalf_of_call', user: user.uname, method, ...client } as const;
    this.#dependencies.audit.write({ ...originAt('analysis', credentials), ...event });
  }

  /** Undefined: the credential that opened it is not good any more. */
  #ofSession(user: RecentUser, session: FoundSession): AnalysisCaller | undefined {
    // Whoever is switched off is told so.
    if (session.isEnded && user.is_active) return undefined;
    if (session.credentialFingerprint !== credentialFingerprint(user, session.keyName)) return undefined;
    if (session.keyName !== undefined) return this.#keys.bySession(user, session.keyName);
    return this.#actors.bySession(user, session.rolesLimit, session.credentialEnds, session.onBehalfOf);
  }

  /** @throws Unauthenticated `session_moved` */
  #rejectMoved(session: AnalysisSession, { address, userAgent }: AnalysisCredentials): void {
    const { validate_session_ip: checkAddress, validate_session_useragent: checkAgent } =
      this.#dependencies.settings.analysis.ui;
    if (checkAddress && session.address !== address) {
      throw new Unauthenticated('session_moved', 'Invalid source IP for this session');
    }
    if (checkAgent && session.userAgent !== agentMark(userAgent)) {
      throw new Unauthenticated('session_moved', 'Invalid user agent for this session');
    }
  }

  /** @throws Forbidden `account_disabled` */
  #rejectInactive({ user, verified }: AnalysisCaller, allowed = false): void {
    if (user.is_active || allowed) return;
    const refusal = new Forbidden('account_disabled', `User ${user.uname} is disabled`);
    throw attributed(refusal, holderOfUser(user, verified));
  }

  #auditRefused(error: unknown, credentials: AnalysisCredentials): void {
    const { user, apikey, session, authorization } = credentials;
    // Callers without any credential are in the request log; here they would bury what matters.
    if (!(session || apikey || authorization)) return;
    const byKey = user && apikey;
    const method = byKey ? 'api_key' : session ? 'session' : 'oauth';
    const who = { user: byKey ? user : undefined, method };
    auditRefusal(this.#dependencies, error, {
      event: 'credential_refused',
      ...originAt('analysis', credentials),
      ...who,
    });
  }
}

/**
 * Undefined without one: other schemes mean nothing here. What follows `Bearer` is the token, also when it can be none: whoever calls in the
 * name of somebody must not be taken to call in their own because they spelt it wrong.
 */
function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer(?:$|\s+)(.*)$/is.exec(authorization)?.[1];
}

/** In a time that does not tell how much of it is right. */
function isSame(wanted: string, given: string | undefined): boolean {
  if (given === undefined || given.length !== wanted.length) return false;
  const [left, right] = [Buffer.from(wanted), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
