import { isTriadError, Unauthenticated } from '../errors/errors.ts';
import { type Actor, PASSWORD_PRIVILEGES } from './actor.ts';
import { privilegedActors } from './actor-factory.ts';
import { auditRefusal, originAt, type RequestOrigin } from './audit/audit-log.ts';
import { Authenticator, type Caller } from './authenticator.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { accountDisabled } from './login-refusals.ts';
import { type IdentityDependencies, loginVerifiers } from './login-verifiers.ts';
import type { PersonLoginOutcome } from './second-factors/person-login.ts';
import { RecentProofs } from './second-factors/recent-proofs.ts';
import type { SecondFactorAccounts } from './second-factors/second-factor-accounts.ts';
import type { GivenSecondFactor, SecondFactors } from './second-factors/second-factors.ts';
import { agentMark } from './sessions/analysis-sessions.ts';
import { SignInTickets } from './sessions/sign-in-tickets.ts';
import { sessionEnded, type WebSession, type WebSessionOpening, type WebSessions } from './sessions/web-sessions.ts';
import type { RecentUser } from './user-store.ts';
import { findWebCaller, webSessionRow } from './web-session-row.ts';

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
        readonly method: 'provider';
        readonly user: string;
        /** The ticket that `second_factor_required` gave after the sign-in at the provider. */
        readonly ticket: string;
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

/** Names of the ways to sign in, in the audit log. */
const AUDITED = { password: 'password', apikey: 'api_key', provider: 'oauth' } as const;
/** Milliseconds. Tickets end by themselves; no token is kept for them. */
const TICKET_LIFETIME = 5 * 60 * 1000;

/**
 * Signs users in at the web interface, and identifies the callers of its own routes: those who have a
 * session. Safe for concurrent use.
 */
export class WebIdentity extends Authenticator<Actor> {
  readonly sessions: WebSessions;
  readonly secondFactors: SecondFactors;
  readonly factorAccounts: SecondFactorAccounts;
  /** The sessions whose users have proved lately that they are there. */
  readonly proofs: RecentProofs;
  readonly #tickets: SignInTickets;
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
    const { now, passwords, secondFactors, factorAccounts } = logins;
    const { tokens } = dependencies.coordination;
    this.sessions = webSessions;
    this.secondFactors = secondFactors;
    this.factorAccounts = factorAccounts;
    this.proofs = new RecentProofs({ ...dependencies, tokens, passwords, secondFactors, now });
    this.#tickets = new SignInTickets(dependencies.coordination);
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
    const method = AUDITED[request.method];
    try {
      const caller = await this.#verify(request);
      const { username } = this.admit(caller);
      const { keyName: key, provider } = caller;
      const openedWith = request.method === 'apikey' ? 'api_key' : request.method;
      const opened = await this.#open(caller.user, { openedWith, keyName: key, provider }, request);
      this.#dependencies.audit.write({ event: 'login_succeeded', ...origin, user: username, method, key, provider });
      return opened;
    } catch (error) {
      const event = { event: 'login_failed', ...origin, user: request.user, method } as const;
      if (!isQuestion(error)) auditRefusal(this.#dependencies, error, event);
      throw error;
    }
  }

  /**
   * Opens a session for a user who signed in at a provider. @throws Unauthenticated
   * `second_factor_required` with a ticket for `login`; Unavailable `sessions_unavailable`, `passwords_unavailable`
   */
  async openOfProvider(user: RecentUser, provider: string, origin: RequestOrigin): Promise<OpenedWebSession> {
    const { people, now } = this.#logins;
    const login = await people.complete(callerOfProvider(user, provider), {}, origin.address);
    if (login.outcome === 'verified') return this.#open(user, { openedWith: 'provider', provider }, origin);
    const ticket = await this.#tickets.issue({
      ...{ username: user.uname, provider, tokenEnds: now() + TICKET_LIFETIME },
      credentialFingerprint: credentialFingerprint(user, undefined),
    });
    throw secondFactorRequired(login, { user: user.uname, ticket });
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
    if (request.method === 'provider') return this.#verifyTicket(request.ticket, username, request.factor, address);
    const login = await people.verify(username, request.password, request.factor, address);
    if (login.outcome === 'verified') return login.caller;
    throw secondFactorRequired(login);
  }

  async #verifyTicket(ticket: string, username: string, factor: GivenSecondFactor, address: string): Promise<Caller> {
    const signedIn = await this.#tickets.find(ticket, username);
    const user = signedIn && (await this.#dependencies.users.recent(username));
    if (!user || signedIn.credentialFingerprint !== credentialFingerprint(user, undefined)) throw invalidTicket();
    const login = await this.#logins.people.complete(callerOfProvider(user, signedIn.provider), factor, address);
    if (login.outcome !== 'verified') throw secondFactorRequired(login, { user: username, ticket });
    // One of several logins with it succeeds.
    if (!(await this.#tickets.use(ticket))) throw invalidTicket();
    return login.caller;
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

function callerOfProvider(user: RecentUser, provider: string): Caller {
  return { user, method: 'oauth', privileges: PASSWORD_PRIVILEGES, provider };
}

/** @param again what the next request sends instead of the first factor, if anything */
function secondFactorRequired(
  { kinds, challenge }: Extract<PersonLoginOutcome, { outcome: 'second_factor_required' }>,
  again: { readonly user?: string; readonly ticket?: string } = {},
): Unauthenticated {
  return new Unauthenticated(
    'second_factor_required',
    'This account has a second factor. Enter its code, or use the security key.',
    { response: { second_factors: kinds, challenge, ...again } },
  );
}

function invalidTicket(): Unauthenticated {
  return new Unauthenticated('sign_in_expired', 'The sign-in at the provider has expired. Begin it again.');
}
