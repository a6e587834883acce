import { timingSafeEqual } from 'node:crypto';
import { Forbidden, Unauthenticated } from '../errors/errors.ts';
import { PASSWORD_PRIVILEGES } from './actor.ts';
import { type AnalysisActor, analysisActors } from './analysis-actors.ts';
import { AnalysisKeyLogin, keyUses } from './analysis-key-login.ts';
import { type AnalysisLogin, type AnalysisLoginRequest, AnalysisLogins } from './analysis-logins.ts';
import { originAt } from './audit/audit-origin.ts';
import {
  Authenticator,
  type Caller,
  type CredentialRow,
  credentialRow,
  type PresentedCredentials,
  type ServiceTable,
} from './authenticator.ts';
import { keyHeadersRow } from './credential-rows.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { type IdentityDependencies, loginVerifiers } from './login-verifiers.ts';
import type { BearerCallers } from './obo/bearer-callers.ts';
import type { SecondFactor } from './passwords/second-factor.ts';
import {
  type AnalysisSession,
  AnalysisSessions,
  agentMark,
  type FoundSession,
  presentedSession,
} from './sessions/analysis-sessions.ts';
import { SignInTickets } from './sessions/sign-in-tickets.ts';
import type { RecentUser } from './user-store.ts';

export interface AnalysisIdentityDependencies extends IdentityDependencies {
  readonly bearerCallers: Pick<BearerCallers, 'identify' | 'ofProvider'>;
}

/**
 * Identifies the callers of the analysis service. Safe for concurrent use. A user that was changed,
 * disabled or deleted, a key that was revoked and a session that was ended count as such at once in
 * this process, after a second in others.
 *
 * Refusals of `authenticate` have no `response`: the service adds its own (contract/analysis.md section 1.2, 401 and 403) and, at a 401,
 * removes the cookies. Refusals of `login` have the response `''`, which is sent as it is.
 */
export class AnalysisIdentity {
  readonly table: ServiceTable<AnalysisActor>;
  readonly secondFactor: SecondFactor;
  /** The tickets of browsers that return from an identity provider. */
  readonly tickets: SignInTickets;
  readonly #dependencies: AnalysisIdentityDependencies;
  readonly #keys: AnalysisKeyLogin;
  readonly #sessions: AnalysisSessions;
  readonly #logins: AnalysisLogins;
  readonly #authenticator: Authenticator<AnalysisActor>;

  constructor(dependencies: AnalysisIdentityDependencies) {
    const { users, credentials, coordination, settings, audit, engine, log } = dependencies;
    const service = 'analysis';
    const { now, passwords, keys, secondFactor } = loginVerifiers(service, dependencies);
    const actors = analysisActors({ engine: engine.whenNotEnforced('unrestricted'), log });
    const { tokens } = coordination;
    const duration = settings.analysis.ui.session_duration;
    this.#dependencies = dependencies;
    this.#keys = new AnalysisKeyLogin({ keys, noteUse: keyUses({ users, log, now }) });
    this.#sessions = new AnalysisSessions({ tokens, credentials, duration, now });
    this.secondFactor = secondFactor;
    this.tickets = new SignInTickets(coordination);
    this.#logins = new AnalysisLogins({
      ...dependencies,
      ...{ passwords, actors, keys: this.#keys, sessions: this.#sessions, secondFactor, tickets: this.tickets },
    });
    const tokenRow = this.#tokenRow();
    const byKey = (user: string, key: string, address: string) => this.#keys.verify(user, key, address, 'of_address');
    this.table = {
      service,
      rows: [keyHeadersRow(byKey), this.#sessionRow(), tokenRow],
      inNameOf: tokenRow,
      missing: (presented) => {
        const error = new Unauthenticated('session_not_found', 'Session not found');
        const isUnread = presented.header('x-apikey') || presented.header('authorization');
        return { error, claim: isUnread ? { method: 'oauth' } : undefined };
      },
      disabled: (username) => new Forbidden('account_disabled', `User ${username} is disabled`),
      actors,
    };
    this.#authenticator = new Authenticator(this.table, { audit, log });
  }

  /**
   * Returns the actor of a request: by `X-USER` and `X-APIKEY`, else by the session, else by the bearer
   * token; a bearer token beside another credential makes the sender call on behalf of its user.
   * @throws Unauthenticated `invalid_login`, `api_keys_disabled`, `api_key_owner_inactive`, `api_keys_not_allowed`, `session_not_found`,
   *   `session_expired`, `session_moved`, `unknown_user`, and as `BearerCallers.identify`
   * @throws Forbidden `invalid_xsrf_token`, `account_disabled`, and as `BearerCallers.identify`
   * @throws TooManyRequests `too_many_failed_logins` to addresses that try keys
   * @throws Unavailable `sessions_unavailable` while coordination is unavailable, which API keys do not need
   */
  authenticate(presented: PresentedCredentials): Promise<AnalysisActor> {
    return this.#authenticator.authenticate(presented);
  }

  /** Verifies a credential and opens a session. @throws as `AnalysisLogins.login` */
  login(request: AnalysisLoginRequest): Promise<AnalysisLogin> {
    return this.#logins.login(request);
  }

  /**
   * Ends the session of a request, if it has one.
   * @param actor the caller whom it identified
   * @throws Unavailable `sessions_unavailable`
   */
  async logout(actor: Pick<AnalysisActor, 'username'>, presented: PresentedCredentials): Promise<void> {
    const session = presentedSession(presented);
    if (!session || !(await this.#sessions.end(session))) return;
    this.#dependencies.audit.write({ event: 'logout', ...originAt('analysis', presented), user: actor.username });
  }

  #sessionRow(): CredentialRow {
    return credentialRow<string>({
      read: (presented) => presentedSession(presented) || undefined,
      claim: () => ({ method: 'session' }),
      verify: (cookie, presented) => this.#verifySession(cookie, presented),
    });
  }

  #tokenRow(): CredentialRow {
    return credentialRow<string>({
      read: (presented) => bearerToken(presented.header('authorization')),
      claim: (_token, _presented, own) => own ?? { method: 'oauth' },
      verify: (token, presented, sender) => {
        const { address, userAgent, requestId, call } = presented;
        const provider = presented.header('x-token-provider');
        const { bearerCallers } = this.#dependencies;
        return bearerCallers.identify({ token, provider, sender, address, userAgent, requestId, call });
      },
    });
  }

  async #verifySession(cookie: string, presented: PresentedCredentials): Promise<Caller> {
    const session = await this.#sessions.find(cookie);
    if (session === undefined) throw new Unauthenticated('session_not_found', 'Session not found');
    this.#rejectMoved(session, presented);
    const limited = session.keyName !== undefined || session.rolesLimit !== undefined;
    // What a key or a token opened is limited, and other sites cannot read such a session's answers; only full sessions need the token.
    if (!limited && presented.checkXsrf && !isSame(session.xsrfToken, xsrfTokenOf(presented))) {
      throw new Forbidden('invalid_xsrf_token', 'Invalid XSRF token');
    }
    const user = await this.#dependencies.users.recent(session.username);
    if (!user) throw new Unauthenticated('unknown_user', `User ${session.username} does not exists`);
    const caller = this.#ofSession(user, session);
    if (!caller) throw new Unauthenticated('session_expired', 'Session expired');
    return caller;
  }

  /** Returns undefined when the credential that opened the session is not valid any more. */
  #ofSession(user: RecentUser, session: FoundSession): Caller | undefined {
    // Disabled users are told so.
    if (session.isEnded && user.is_active) return undefined;
    const { keyName, rolesLimit, credentialEnds, onBehalfOf } = session;
    if (session.credentialFingerprint !== credentialFingerprint(user, keyName)) return undefined;
    if (keyName !== undefined) return this.#keys.bySession(user, keyName);
    return {
      ...{ user, method: 'session', credentialEnds, ...onBehalfOf },
      privileges: rolesLimit === undefined ? PASSWORD_PRIVILEGES : [],
      rolesLimit: rolesLimit && new Set(rolesLimit),
      // As for the token itself: a session does not hide who calls.
      event: onBehalfOf && 'on_behalf_of_call',
    };
  }

  /** @throws Unauthenticated `session_moved` */
  #rejectMoved(session: AnalysisSession, { address, userAgent }: PresentedCredentials): void {
    const { validate_session_ip: checkAddress, validate_session_useragent: checkAgent } =
      this.#dependencies.settings.analysis.ui;
    if (checkAddress && session.address !== address) {
      throw new Unauthenticated('session_moved', 'Invalid source IP for this session');
    }
    if (checkAgent && session.userAgent !== agentMark(userAgent)) {
      throw new Unauthenticated('session_moved', 'Invalid user agent for this session');
    }
  }
}

/**
 * Returns what follows `Bearer`, also when it cannot be a token: a caller who means to call on behalf
 * of another user must not be taken to call for themselves because of a misspelt token. Returns
 * undefined for other schemes, which the service ignores.
 */
function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer(?:$|\s+)(.*)$/is.exec(authorization)?.[1];
}

function xsrfTokenOf(presented: PresentedCredentials): string | undefined {
  return presented.header('x-xsrf-token') ?? presented.argument('XSRF_TOKEN');
}

/** Compares in constant time. */
function isSame(wanted: string, given: string | undefined): boolean {
  if (given === undefined || given.length !== wanted.length) return false;
  const [left, right] = [Buffer.from(wanted), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
