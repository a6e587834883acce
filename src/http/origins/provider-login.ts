import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from '../../identity/actor.ts';
import type { CodeLogin, LoginAnswer, OAuthSignIn, ProviderAnswer } from '../../identity/oauth/code-login.ts';
import { LOGIN_LIFETIME } from '../../identity/oauth/login-states.ts';
import { auditOrigin } from '../guard.ts';

/** The listeners at which browsers sign in through a provider. */
type LoginListener = ServiceName | 'web';

/** The provider, the page to return to, and the cookie of the browser. */
export interface ProviderLoginStart {
  readonly provider: string;
  /** The page that the provider sends the browser back to, as `returnAddress` makes it. */
  readonly redirectAddress: string;
  readonly nonce?: string | undefined;
  /** True if the browser sends the cookie of a connection without TLS over HTTPS only. */
  readonly secure: boolean;
  /** Path of that cookie where it is not the one of the service. */
  readonly path?: string | undefined;
}

/**
 * Cookies of connections without TLS. Browsers keep one set of cookies for a host, independent of the
 * port (RFC 6265 section 8.5), so no service may set a cookie that another service reads. Pages of the public
 * enrichment service know its cookie, whose name is that of the session of the analysis service: its path is that of
 * the login routes.
 */
const PLAIN_COOKIES: Readonly<Record<LoginListener, { readonly name: string; readonly path?: string }>> = {
  alerts: { name: 'alerts-login', path: '/' },
  analysis: { name: 'analysis-login', path: '/' },
  enrichment: { name: 'session' },
  web: { name: 'triad-login', path: '/session' },
};

/** Returns the cookie with TLS, which other hosts cannot set (RFC 6265bis section 4.1.3.2). */
const encryptedCookie = (listener: LoginListener) => `__Host-${listener}-login`;

/** Returns the service whose client the listener uses: pages keep no token of the provider. */
const clientOf = (listener: LoginListener): ServiceName => (listener === 'web' ? 'alerts' : listener);

/**
 * Sends the browser to the page of a provider, with a cookie that binds the login to this browser.
 * Scripts cannot read it. Links carry it, because the answer of the provider is a link.
 * @throws as `CodeLogin.begin`
 */
export async function startProviderLogin(
  codeLogin: Pick<CodeLogin, 'begin'>,
  listener: LoginListener,
  request: FastifyRequest,
  reply: FastifyReply,
  start: ProviderLoginStart,
): Promise<FastifyReply> {
  const { provider, redirectAddress, nonce, secure } = start;
  const origin = auditOrigin(request, listener);
  const service = clientOf(listener);
  const known = bindingOf(request, listener);
  const begun = await codeLogin.begin({ provider, service, origin, redirectAddress, nonce, binding: known });
  const { name, path = start.path } = PLAIN_COOKIES[listener];
  const cookie = request.place.isEncrypted
    ? { name: encryptedCookie(listener), path: '/', secure: true }
    : { name, secure, ...(path === undefined ? {} : { path }) };
  const attributes = { maxAge: LOGIN_LIFETIME, httpOnly: true, sameSite: 'lax' } as const;
  reply.header('set-cookie', stringifySetCookie({ ...cookie, ...attributes, value: begun.binding }));
  return reply.redirect(begun.address, 302);
}

/** The answer of a provider, as a page hands it over. */
type PageAnswer = ProviderAnswer & { readonly provider: string; readonly nonce?: string | undefined };

/** Finishes the login that this browser started; throws as `CodeLogin.finish`. */
export function finishProviderLogin(
  codeLogin: Pick<CodeLogin, 'finish'>,
  listener: LoginListener,
  request: FastifyRequest,
  answer: PageAnswer,
): Promise<OAuthSignIn> {
  return codeLogin.finish(loginAnswer(listener, request, answer));
}

/**
 * Verifies the answer to the login that this browser started; throws as `CodeLogin.verify`. For
 * listeners that open a session afterwards, which audit the sign-in then.
 */
export function verifyProviderLogin(
  codeLogin: Pick<CodeLogin, 'verify'>,
  listener: LoginListener,
  request: FastifyRequest,
  answer: PageAnswer,
): Promise<OAuthSignIn> {
  return codeLogin.verify(loginAnswer(listener, request, answer));
}

function loginAnswer(listener: LoginListener, request: FastifyRequest, answer: PageAnswer): LoginAnswer {
  const { provider, nonce, code, state, iss, error, error_description } = answer;
  const place = { provider, service: clientOf(listener), origin: auditOrigin(request, listener) };
  const binding = bindingOf(request, listener);
  const isComplete = listener === 'web';
  return { ...place, nonce, code, state, iss, error, error_description, binding, isComplete };
}

/** Returns the binding of the login that this browser started at the listener, if any. */
function bindingOf({ headers, place }: FastifyRequest, listener: LoginListener): string | undefined {
  const name = place.isEncrypted ? encryptedCookie(listener) : PLAIN_COOKIES[listener].name;
  return parseCookie(headers.cookie ?? '')[name];
}
