import { timingSafeEqual } from 'node:crypto';
import type { Settings } from '../config/config-schema.ts';
import { Forbidden, Unauthenticated } from '../errors/errors.ts';
import { PASSWORD_PRIVILEGES } from './actor.ts';
import { type AnalysisActor, analysisActors } from './actor-factory.ts';
import { AnalysisKeyLogin } from './analysis-key-login.ts';
import { analysisLogin } from './analysis-logins.ts';
import { type AuditLog, originAt } from './audit/audit-log.ts';
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
import type { PersonLogin } from './second-factors/person-login.ts';
import type { SecondFactorAccounts } from './second-factors/second-factor-accounts.ts';
import type { SecondFactors } from './second-factors/second-factors.ts';
import {
  type AnalysisSession,
  AnalysisSessions,
  agentMark,
  type FoundSession,
  presentedSession,
} from './sessions/analysis-sessions.ts';
import { SignInTickets } from './sessions/sign-in-tickets.ts';
import type { RecentUser } from './user-store.ts';
import { webSessionRow } from './web-session-row.ts';

export interface AnalysisIdentityDependencies extends IdentityDependencies {
  readonly bearerCallers: Pick<BearerCallers, 'identify' | 'ofProvider'>;
}

/**
 * Identifies the callers of the analysis service. Safe for concurrent use. Changed, disabled and
 * deleted users, revoked keys and ended sessions count as such at once in this process, after a second in others.
 *
 * `authenticate` takes `X-USER` and `X-APIKEY`, else the session, else the bearer token; a bearer token beside another
 * credential makes the sender call on behalf of its user. It throws Unauthenticated `invalid_login`, `api_keys_disabled`,
 * `api_key_owner_inactive`, `api_keys_not_allowed`, `session_not_found`, `session_expired`, `session_moved`, `unknown_user`;
 * Forbidden `invalid_xsrf_token`, `account_disabled`; TooManyRequests `too_many_failed_logins` to addresses that try keys;
 * Unavailable `sessions_unavailable`, except for API keys; and as `BearerCallers.identify`. Its refusals have no `response`: the
 * service adds its own (contract/analysis.md section 1.2, 401 and 403) and, at a 401, removes the cookies. Refusals of `login`
 * have the response `''`, which is sent as it is.
 */
export class AnalysisIdentity extends Authenticator<AnalysisActor> {
  /** Verifies a credential and opens a session; throws as `analysisLogin`. */
  readonly login: ReturnType<typeof analysisLogin>;
  /** Logs people in by password and second factor, for pages that ask for them one after the other. */
  readonly people: PersonLogin;
  readonly secondFactors: SecondFactors;
  readonly factorAccounts: SecondFactorAccounts;
  readonly sessions: AnalysisSessions;
  /** The tickets of browsers that return from an identity provider. */
  readonly tickets: SignInTickets;
  readonly #audit: AuditLog;

  constructor(dependencies: AnalysisIdentityDependencies) {
    const { users, credentials, webSessions, coordination, settings, engine, log } = dependencies;
    const logins = loginVerifiers('analysis', dependencies);
    const { now, passwords, keys: allKeys, people, secondFactors, factorAccounts } = logins;
    const actors = analysisActors({ engine: engine.whenNotEnforced('unrestricted'), log });
    const duration = settings.analysis.ui.session_duration;
    const keys = new AnalysisKeyLogin({ keys: allKeys });
    const sessions = new AnalysisSessions({ tokens: coordination.tokens, credentials, duration, now });
    const byKey = (user: string, key: string, address: string) => keys.verify(user, key, address, 'of_address');
    const tokenRow = bearerRow(dependencies.bearerCallers);
    const table: ServiceTable<AnalysisActor> = {
      service: 'analysis',
      rows: [
        webSessionRow({ users, webSessions, keys }),
        keyHeadersRow(byKey),
        sessionRow({ users, settings, keys, sessions }),
        tokenRow,
      ],
      inNameOf: tokenRow,
      missing: (presented) => {
        const error = new Unauthenticated('session_not_found', 'Session not found');
        const isUnread = presented.header('x-apikey') || presented.header('authorization');
        return { error, claim: isUnread ? { method: 'oauth' } : undefined };
      },
      disabled: (username) => new Forbidden('account_disabled', `User ${username} is disabled`),
      actors,
    };
    super(table, dependencies);
    this.people = people;
    this.secondFactors = secondFactors;
    this.factorAccounts = factorAccounts;
    this.tickets = new SignInTickets(coordination);
    this.#audit = dependencies.audit;
    this.sessions = sessions;
    this.login = analysisLogin({
      ...dependencies,
      ...{ passwords, actors, keys, sessions, secondFactors, tickets: this.tickets },
    });
  }

  /** Ends the session of a request, if it has one. @throws Unavailable `sessions_unavailable` */
  async logout(actor: Pick<AnalysisActor, 'username'>, presented: PresentedCredentials): Promise<void> {
    const session = presentedSession(presented);
    if (!session || !(await this.sessions.end(session))) return;
    this.#audit.write({ event: 'logout', ...originAt('analysis', presented), user: actor.username });
  }
}

interface SessionRowDependencies extends Pick<AnalysisIdentityDependencies, 'users' | 'settings'> {
  readonly keys: AnalysisKeyLogin;
  readonly sessions: AnalysisSessions;
}

/** Returns the row of the cookie of a session. */
function sessionRow({ users, settings, keys, sessions }: SessionRowDependencies): CredentialRow {
  return credentialRow<string>({
    read: (presented) => presentedSession(presented) || undefined,
    claim: () => ({ method: 'session' }),
    verify: async (cookie, presented) => {
      const session = await sessions.find(cookie);
      if (session === undefined) throw new Unauthenticated('session_not_found', 'Session not found');
      rejectMoved(session, presented, settings.analysis.ui);
      const limited = session.keyName !== undefined || session.rolesLimit !== undefined;
      // What a key or a token opened is limited, and other sites cannot read such a session's answers; only full sessions need the token.
      if (!limited && presented.checkXsrf && !isSame(session.xsrfToken, xsrfTokenOf(presented))) {
        throw new Forbidden('invalid_xsrf_token', 'Invalid XSRF token');
      }
      const user = await users.recent(session.username);
      if (!user) throw new Unauthenticated('unknown_user', `User ${session.username} does not exists`);
      const caller = callerOfSession(user, session, keys);
      if (!caller) throw new Unauthenticated('session_expired', 'Session expired');
      return caller;
    },
  });
}

/** Returns undefined when the credential that opened the session is not valid any more. */
function callerOfSession(user: RecentUser, session: FoundSession, keys: AnalysisKeyLogin): Caller | undefined {
  // Disabled users are told so.
  if (session.isEnded && user.is_active) return undefined;
  const { keyName, rolesLimit, credentialEnds, onBehalfOf } = session;
  if (session.credentialFingerprint !== credentialFingerprint(user, keyName)) return undefined;
  if (keyName !== undefined) return keys.bySession(user, keyName);
  return {
    ...{ user, method: 'session', credentialEnds, ...onBehalfOf },
    privileges: rolesLimit === undefined ? PASSWORD_PRIVILEGES : [],
    rolesLimit: rolesLimit && new Set(rolesLimit),
    // As for the token itself: a session does not hide who calls.
    event: onBehalfOf && 'on_behalf_of_call',
  };
}

/** @throws Unauthenticated `session_moved` */
function rejectMoved(
  session: AnalysisSession,
  { address, userAgent }: PresentedCredentials,
  settings: Pick<Settings['analysis']['ui'], 'validate_session_ip' | 'validate_session_useragent'>,
): void {
  if (settings.validate_session_ip && session.address !== address) {
    throw new Unauthenticated('session_moved', 'Invalid source IP for this session');
  }
  if (settings.validate_session_useragent && session.userAgent !== agentMark(userAgent)) {
    throw new Unauthenticated('session_moved', 'Invalid user agent for this session');
  }
}

/** Returns the row of `Authorization: Bearer`, which also names another user beside another credential. */
function bearerRow(bearerCallers: AnalysisIdentityDependencies['bearerCallers']): CredentialRow {
  return credentialRow<string>({
    read: (presented) => bearerToken(presented.header('authorization')),
    claim: (_token, _presented, own) => own ?? { method: 'oauth' },
    verify: (token, presented, sender) => {
      const { address, userAgent, requestId, call } = presented;
      const provider = presented.header('x-token-provider');
      return bearerCallers.identify({ token, provider, sender, address, userAgent, requestId, call });
    },
  });
}

/**
 * Returns what follows `Bearer`, also when it cannot be a token: who misspells the token of another
 * user must not call for themselves. Returns undefined for other schemes, which the service ignores.
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
