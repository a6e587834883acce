import { isTriadError, Unauthenticated } from '../errors/errors.ts';
import { type Actor, PASSWORD_PRIVILEGES } from './actor.ts';
import { privilegedActors } from './actor-factory.ts';
import { auditRefusal, type CredentialHolder, originAt, type RequestOrigin } from './audit/audit-log.ts';
import { Authenticator, type Caller } from './authenticator.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { accountDisabled } from './login-refusals.ts';
import { type IdentityDependencies, loginVerifiers } from './login-verifiers.ts';
import type { ProviderArrival } from './oauth/code-login.ts';
import { holderOfUser } from './oauth/verified-token.ts';
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
  /** The sign-in at a provider that opened it. */
  readonly arrival: ProviderArrival | undefined;
}

/** A verified credential, before its session is opened. */
interface VerifiedLogin {
  readonly caller: Caller;
  readonly openedWith: WebSessionOpening['openedWith'];
  readonly arrival?: ProviderArrival | undefined;
  readonly holder?: CredentialHolder | undefined;
}

/** Names of the ways to sign in, in the audit log. */
const AUDITED = { password: 'password', apikey: 'api_key', provider: 'oauth' } as const;

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
  login(request: WebLoginRequest): Promise<OpenedWebSession> {
    const who = { user: request.user, method: AUDITED[request.method] };
    return this.#open(request, who, () => this.#verify(request));
  }

  /**
   * Opens a session for a user who signed in at a provider. @throws Unauthenticated
   * `second_factor_required` with a ticket for `login`; Unavailable `sessions_unavailable`, `passwords_unavailable`
   */
  openOfProvider(arrival: ProviderArrival, origin: RequestOrigin): Promise<OpenedWebSession> {
    const who = { user: arrival.user.uname, method: AUDITED.provider };
    return this.#open(origin, who, () => this.#verifyArrival(arrival, origin));
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

  /** Opens a session for a verified user. The user has signed in then, so it audits the sign-in. */
  async #open(
    request: RequestOrigin,
    { user, method }: { readonly user: string; readonly method: string },
    verify: () => Promise<VerifiedLogin>,
  ): Promise<OpenedWebSession> {
    const { audit } = this.#dependencies;
    const origin = originAt('web', request);
    try {
      const { caller, openedWith, arrival, holder } = await verify();
      const { username } = this.admit(caller);
      const { keyName, provider } = caller;
      const cookie = await this.sessions.open({
        ...{ username, openedWith, keyName, provider, address: request.address },
        credentialFingerprint: credentialFingerprint(caller.user, keyName),
        userAgent: agentMark(request.userAgent),
      });
      const event = { ...origin, ...holder, user: username, method, key: keyName, provider };
      audit.write({ event: 'login_succeeded', ...event });
      return { cookie, username, arrival };
    } catch (error) {
      if (!isQuestion(error))
        auditRefusal(this.#dependencies, error, { event: 'login_failed', ...origin, user, method });
      throw error;
    }
  }

  async #verify(request: WebLoginRequest): Promise<VerifiedLogin> {
    const { people, keys } = this.#logins;
    const { user: username, address } = request;
    if (request.method === 'provider') return this.#verifyTicket(request.ticket, username, request.factor, address);
    if (request.method === 'apikey') {
      return { caller: await keys.verify(username, request.apikey, address), openedWith: 'api_key' };
    }
    const login = await people.verify(username, request.password, request.factor, address);
    if (login.outcome === 'verified') return { caller: login.caller, openedWith: 'password' };
    throw secondFactorRequired(login);
  }

  /** Verifies that the account needs no second factor; otherwise issues a ticket for the sign-in with it. */
  async #verifyArrival(arrival: ProviderArrival, { address }: RequestOrigin): Promise<VerifiedLogin> {
    const { user, token } = arrival;
    const login = await this.#logins.people.complete(callerOfProvider(user, token.provider), {}, address);
    const holder = holderOfUser(user, token);
    if (login.outcome === 'verified') return { caller: login.caller, openedWith: 'provider', arrival, holder };
    const ticket = await this.#tickets.issue({
      ...{ username: user.uname, provider: token.provider, tokenEnds: token.expires, holder },
      credentialFingerprint: credentialFingerprint(user, undefined),
      secret: JSON.stringify(restOf(arrival)),
    });
    throw secondFactorRequired(login, { user: user.uname, ticket });
  }

  async #verifyTicket(
    ticket: string,
    username: string,
    factor: GivenSecondFactor,
    address: string,
  ): Promise<VerifiedLogin> {
    const signedIn = await this.#tickets.find(ticket, username);
    const user = signedIn && (await this.#dependencies.users.recent(username));
    if (!user || signedIn.credentialFingerprint !== credentialFingerprint(user, undefined)) throw invalidTicket();
    const login = await this.#logins.people.complete(callerOfProvider(user, signedIn.provider), factor, address);
    if (login.outcome !== 'verified') throw secondFactorRequired(login, { user: username, ticket });
    // One of several logins with it succeeds.
    if (!(await this.#tickets.use(ticket))) throw invalidTicket();
    const { secret, holder } = signedIn;
    const arrival = secret === undefined ? undefined : { ...(JSON.parse(secret) as RestOfArrival), user };
    return { caller: login.caller, openedWith: 'provider', arrival, holder };
  }
}

/** The part of a sign-in that a ticket keeps: the account is read when the ticket is used. */
type RestOfArrival = Omit<ProviderArrival, 'user'>;

function restOf({ profile, token }: ProviderArrival): RestOfArrival {
  const { picture, pictureFrom } = profile;
  return { profile: { picture, pictureFrom }, token };
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
