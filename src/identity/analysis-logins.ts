import { randomBytes } from 'node:crypto';
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
import { auditRefusal, type CredentialHolder, originAt, type RequestOrigin } from './audit/audit-log.ts';
import type { Caller } from './authenticator.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import type { IdentityDependencies } from './login-verifiers.ts';
import { holderOfUser } from './oauth/verified-token.ts';
import type { BearerCallers } from './obo/bearer-callers.ts';
import type { PasswordLogin } from './passwords/password-login.ts';
import type { GivenSecondFactor, SecondFactors } from './second-factors/second-factors.ts';
import { type AnalysisSession, type AnalysisSessions, agentMark } from './sessions/analysis-sessions.ts';
import type { SignInTickets } from './sessions/sign-in-tickets.ts';

/** The input of a login (contract/analysis.md section 2.1). Empty strings count as missing. */
export interface AnalysisLoginRequest extends RequestOrigin, GivenSecondFactor {
  /** A page of another site has the browser send it. Default false. */
  readonly isOfOtherSite?: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
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

interface AnalysisLoginDependencies extends IdentityDependencies {
  readonly passwords: Pick<PasswordLogin, 'verify'>;
  readonly keys: AnalysisKeyLogin;
  readonly actors: ActorFactory<AnalysisActor>;
  readonly sessions: AnalysisSessions;
  readonly secondFactors: SecondFactors;
  readonly tickets: SignInTickets;
  readonly bearerCallers: Pick<BearerCallers, 'ofProvider'>;
}

interface VerifiedLogin {
  readonly caller: Caller;
  /** The verified facts of the token of a provider, for the audit log. */
  readonly holder?: CredentialHolder | undefined;
}

const NO_LIMITS = { rolesLimit: undefined, credentialEnds: undefined };

/**
 * Returns the login of the analysis service: it verifies the first of API key, token of a provider,
 * password, and ticket, and opens a new session. The login throws Unauthenticated with the response `''`:
 * `incomplete_login`, `invalid_login`, `locked_out`, `login_of_other_site`, `wrong_one_time_password`, `wrong_security_token`,
 * `saml_disabled`, `oauth_disabled`, and the refusals of keys and tokens; TooManyRequests `too_many_failed_logins`;
 * Unavailable `sessions_unavailable`, `passwords_unavailable`, and while a provider is down.
 */
export function analysisLogin(dependencies: AnalysisLoginDependencies) {
  const { users, settings, audit, bearerCallers, passwords, keys, actors, sessions, secondFactors, tickets } =
    dependencies;

  const verify = async (request: AnalysisLoginRequest): Promise<VerifiedLogin> => {
    const { user, password, apikey, oauth_token: token, oauth_token_id: ticket, address } = request;
    if (request.isOfOtherSite) throw new Unauthenticated('login_of_other_site', 'Log in on a page of this service');
    if (user && apikey) return { caller: await keys.verify(user, apikey, address, 'of_user') };
    // The Python client sends a token without the name of its provider, which the issuer gives.
    if (token) {
      if (!settings.auth.oauth.enabled) throw oauthDisabled();
      const caller = await bearerCallers.ofProvider(token, request.oauth_provider, request);
      return { caller, holder: holderOfUser(caller.user, caller.verified) };
    }
    if (user && password) {
      const caller = await passwords.verify(user, password, address).catch(inWordsOfService);
      await secondFactors.verify(caller.user, request, address);
      return { caller };
    }
    if (user && ticket) return verifyTicket(user, ticket, request);
    if (user && request.saml_token_id) throw new Unauthenticated('saml_disabled', 'SAML login is disabled');
    throw new Unauthenticated('incomplete_login', 'Not enough information to proceed with authentication');
  };

  /** Verifies a ticket; the second factor is required as with a password. */
  const verifyTicket = async (
    username: string,
    ticket: string,
    request: AnalysisLoginRequest,
  ): Promise<VerifiedLogin> => {
    if (!settings.auth.oauth.enabled) throw oauthDisabled();
    const signedIn = await tickets.find(ticket, username);
    const user = signedIn && (await users.recent(username));
    if (!user || signedIn.credentialFingerprint !== credentialFingerprint(user, undefined)) throw invalidTicket();
    await secondFactors.verify(user, request, request.address);
    // One of several logins with it succeeds.
    if (!(await tickets.use(ticket))) throw invalidTicket();
    const { provider, tokenEnds: credentialEnds, holder } = signedIn;
    return { caller: { user, method: 'oauth', privileges: PASSWORD_PRIVILEGES, provider, credentialEnds }, holder };
  };

  const open = async (caller: Caller, { address, userAgent }: AnalysisLoginRequest): Promise<AnalysisLogin> => {
    const { user, method, keyName, impersonator, azp, provider } = caller;
    const xsrfToken = randomBytes(32).toString('base64url');
    const rolesLimit = rolesLeft(actors, caller);
    // The limits of a key are read from the key at every use of the session.
    const limits = keyName === undefined ? { rolesLimit, credentialEnds: caller.credentialEnds } : NO_LIMITS;
    const kept: AnalysisSession = {
      ...{ username: user.uname, address, userAgent: agentMark(userAgent), xsrfToken, openedBy: method, keyName },
      ...limits,
      onBehalfOf: caller.event && { impersonator, azp, provider },
      credentialFingerprint: credentialFingerprint(user, keyName),
    };
    const session = await sessions.open(kept);
    return { username: user.uname, rolesLimit, sessionDuration: sessions.durationOf(kept), session, xsrfToken };
  };

  return async (request: AnalysisLoginRequest): Promise<AnalysisLogin> => {
    const origin = originAt('analysis', request);
    try {
      const { caller, holder } = await verify(request);
      const login = await open(caller, request);
      const { method, keyName: key, provider } = caller;
      audit.write({ event: 'login_succeeded', ...origin, ...holder, user: login.username, method, key, provider });
      return login;
    } catch (error) {
      if (!isTriadError(error)) throw error;
      // A request without any credential is no attempt to log in.
      if (error.code !== 'incomplete_login') {
        const who = { user: request.user, method: methodOf(request), provider: request.oauth_provider };
        auditRefusal(dependencies, error, { event: 'login_failed', ...origin, ...who });
      }
      throw plainly(error);
    }
  };
}

function methodOf({ user, apikey, oauth_token, oauth_token_id, password }: AnalysisLoginRequest): string | undefined {
  if (user && apikey) return 'api_key';
  if (oauth_token || oauth_token_id) return 'oauth';
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
