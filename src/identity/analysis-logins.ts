import { randomBytes } from 'node:crypto';
import type { Settings } from '../config/config-schema.ts';
import type { AnalysisRole } from '../documents/kinds/analysis-roles.ts';
import {
  type ErrorOptions,
  isTriadError,
  TooManyRequests,
  type TriadError,
  Unauthenticated,
} from '../errors/errors.ts';
import { PASSWORD_PRIVILEGES } from './actor.ts';
import { type ActorFactory, type AnalysisActor, rolesLeft } from './actor-factory.ts';
import type { AnalysisKeyLogin } from './analysis-key-login.ts';
import { type AuditLog, auditRefusal, originAt, type RequestOrigin } from './audit/audit-log.ts';
import type { Caller } from './authenticator.ts';
import type { IdentityLog } from './identity-log.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import type { BearerCallers } from './obo/bearer-callers.ts';
import type { PasswordLogin } from './passwords/password-login.ts';
import type { SecondFactor } from './passwords/second-factor.ts';
import { type AnalysisSession, type AnalysisSessions, agentMark } from './sessions/analysis-sessions.ts';
import type { SignInTickets } from './sessions/sign-in-tickets.ts';
import type { UserStore } from './user-store.ts';

/** The input of a login (contract/analysis.md section 2.1). Empty strings count as missing. */
export interface AnalysisLoginRequest extends RequestOrigin {
  /** A page of another site has the browser send it. Default false. */
  readonly isOfOtherSite?: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly otp?: string | undefined;
  /** `<key name>:<secret>` */
  readonly apikey?: string | undefined;
  readonly oauth_provider?: string | undefined;
  /** Access token of that provider. */
  readonly oauth_token?: string | undefined;
  /** The ticket of a browser that returned from the provider. */
  readonly oauth_token_id?: string | undefined;
  readonly saml_token_id?: string | undefined;
}

/** A session that was opened. */
export interface AnalysisLogin {
  readonly username: string;
  /** Roles that the credential leaves; undefined: it has no limit. */
  readonly rolesLimit: readonly AnalysisRole[] | undefined;
  /** Seconds. */
  readonly sessionDuration: number;
  /** Value of the cookie `session`. */
  readonly session: string;
  readonly xsrfToken: string;
}

export interface AnalysisLoginsDependencies {
  readonly passwords: Pick<PasswordLogin, 'verify'>;
  readonly keys: AnalysisKeyLogin;
  readonly actors: ActorFactory<AnalysisActor>;
  readonly sessions: AnalysisSessions;
  readonly secondFactor: SecondFactor;
  readonly tickets: SignInTickets;
  readonly users: Pick<UserStore, 'recent'>;
  readonly bearerCallers: Pick<BearerCallers, 'ofProvider'>;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
}

const NO_LIMITS = { rolesLimit: undefined, credentialEnds: undefined };

/** Opens sessions of the analysis service for callers with a credential of any kind. */
export class AnalysisLogins {
  readonly #dependencies: AnalysisLoginsDependencies;

  constructor(dependencies: AnalysisLoginsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Verifies the first of API key, token of a provider, password, and ticket. Opens a new session.
   * @throws Unauthenticated with the response `''`: `incomplete_login`, `invalid_login`, `locked_out`,
   *   `login_of_other_site`, `wrong_one_time_password`, `wrong_security_token`, `saml_disabled`,
   *   `oauth_disabled`, and the refusals of keys and tokens
   * @throws TooManyRequests `too_many_failed_logins`
   * @throws Unavailable `sessions_unavailable`, `passwords_unavailable`, and while a provider is down
   */
  async login(request: AnalysisLoginRequest): Promise<AnalysisLogin> {
    try {
      const verified = await this.#verify(request);
      const login = await this.#open(verified, request);
      const { user, method, keyName: key, provider } = verified;
      this.#dependencies.audit.write({
        event: 'login_succeeded',
        ...originAt('analysis', request),
        user: user.uname,
        method,
        key,
        provider,
      });
      return login;
    } catch (error) {
      this.#auditFailure(error, request);
      throw isTriadError(error) ? plainly(error) : error;
    }
  }

  async #verify(request: AnalysisLoginRequest): Promise<Caller> {
    const { user, password, apikey, oauth_token: token, oauth_token_id: ticket, saml_token_id: samlId } = request;
    if (request.isOfOtherSite) throw new Unauthenticated('login_of_other_site', 'Log in on a page of this service');
    if (user && apikey) return this.#dependencies.keys.verify(user, apikey, request.address, 'of_user');
    // The Python client sends a token without the name of its provider, which the issuer gives.
    if (token) return this.#byToken(token, request);
    if (user && password) return this.#byPassword(user, password, request);
    if (user && ticket) return this.#byTicket(user, ticket, request);
    if (user && samlId) throw new Unauthenticated('saml_disabled', 'SAML login is disabled');
    throw new Unauthenticated('incomplete_login', 'Not enough information to proceed with authentication');
  }

  async #byToken(token: string, request: AnalysisLoginRequest): Promise<Caller> {
    const { bearerCallers, settings } = this.#dependencies;
    if (!settings.auth.oauth.enabled) throw oauthDisabled();
    return bearerCallers.ofProvider(token, request.oauth_provider, request);
  }

  async #byPassword(username: string, password: string, request: AnalysisLoginRequest): Promise<Caller> {
    const { passwords, secondFactor } = this.#dependencies;
    const caller = await passwords.verify(username, password, request.address).catch(inWordsOfService);
    await secondFactor.verify(caller.user, request.otp, request.address);
    return caller;
  }

  /** Verifies a ticket; the second factor is required as with a password. */
  async #byTicket(username: string, ticket: string, request: AnalysisLoginRequest): Promise<Caller> {
    const { settings, tickets, secondFactor, users } = this.#dependencies;
    if (!settings.auth.oauth.enabled) throw oauthDisabled();
    const signedIn = await tickets.find(ticket, username);
    const user = signedIn && (await users.recent(username));
    if (!user || signedIn.credentialFingerprint !== credentialFingerprint(user, undefined)) throw invalidTicket();
    await secondFactor.verify(user, request.otp, request.address);
    // One of several logins with it succeeds.
    if (!(await tickets.use(ticket))) throw invalidTicket();
    const { provider, tokenEnds: credentialEnds } = signedIn;
    return { user, method: 'oauth', privileges: PASSWORD_PRIVILEGES, provider, credentialEnds };
  }

  async #open(caller: Caller, { address, userAgent }: AnalysisLoginRequest): Promise<AnalysisLogin> {
    const { user, method, keyName, impersonator, azp, provider } = caller;
    const { sessions, actors } = this.#dependencies;
    const xsrfToken = randomBytes(32).toString('base64url');
    const rolesLimit = rolesLeft(actors, caller);
    // The limits of a key are read from the key at every use of the session.
    const limits = keyName === undefined ? { rolesLimit, credentialEnds: caller.credentialEnds } : NO_LIMITS;
    const kept: AnalysisSession = {
      username: user.uname,
      address,
      userAgent: agentMark(userAgent),
      xsrfToken,
      openedBy: method,
      keyName,
      ...limits,
      onBehalfOf: caller.event && { impersonator, azp, provider },
      credentialFingerprint: credentialFingerprint(user, keyName),
    };
    const session = await sessions.open(kept);
    return { username: user.uname, rolesLimit, sessionDuration: sessions.durationOf(kept), session, xsrfToken };
  }

  #auditFailure(error: unknown, request: AnalysisLoginRequest): void {
    // Whoever sends no credential at all does not try to get in.
    if (!isTriadError(error) || error.code === 'incomplete_login') return;
    const { user, oauth_provider: provider } = request;
    const who = { user, method: methodOf(request), provider };
    auditRefusal(this.#dependencies, error, { event: 'login_failed', ...originAt('analysis', request), ...who });
  }
}

function methodOf({
  user,
  apikey,
  oauth_token: token,
  oauth_token_id: tokenId,
  password,
}: AnalysisLoginRequest): string | undefined {
  if (user && apikey) return 'api_key';
  if (token || tokenId) return 'oauth';
  return password ? 'password' : undefined;
}

function invalidTicket(): Unauthenticated {
  return new Unauthenticated('invalid_login', 'Invalid oAuth token id');
}

function oauthDisabled(): Unauthenticated {
  return new Unauthenticated('oauth_disabled', 'oAuth login is disabled');
}

function inWordsOfService(error: unknown): never {
  if (isTriadError(error) && error.code === 'invalid_login') {
    throw new Unauthenticated('invalid_login', 'Wrong username or password', { cause: error });
  }
  throw error;
}

/** Turns the refusal of a login into a plain 401, which it is at this service. */
function plainly(error: TriadError): TriadError {
  const { code, message, retryAfter } = error;
  const options: ErrorOptions = { response: '', cause: error, ...(retryAfter === undefined ? {} : { retryAfter }) };
  switch (error.kind) {
    case 'too_many_requests':
      return new TooManyRequests(code, message, options);
    case 'unavailable':
      return error;
    default:
      return new Unauthenticated(code, message, options);
  }
}
