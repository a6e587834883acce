import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Settings } from '../config/config-schema.ts';
import { SESSION_COOKIE, XSRF_COOKIE } from '../identity/analysis-identity.ts';
import type { AnalysisLogin } from '../identity/analysis-logins.ts';
import type { RequestPlace } from '../identity/oauth/return-address.ts';

/** The session cookie of browsers with TLS, which other hosts of the domain cannot set (RFC 6265bis section 4.1.3.2). */
const HOST_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

const WHOLE_SERVICE = { path: '/' } as const;

/**
 * Returns the cookies of a new session as `Set-Cookie` headers: the session, which scripts cannot read, and the XSRF token,
 * which they have to copy into a header. Of the requests that other sites cause, only links carry them.
 */
export function sessionCookies(
  { session, xsrfToken, sessionDuration, rolesLimit }: AnalysisLogin,
  place: RequestPlace,
  setting: Settings['analysis']['ui']['session_cookies'],
): string[] {
  const attributes = {
    ...WHOLE_SERVICE,
    // Sessions with a limit need no XSRF token, so links of other sites do not carry them either.
    sameSite: rolesLimit === undefined ? 'lax' : 'strict',
    secure: isSecure(place, setting),
    maxAge: sessionDuration,
  } as const;
  const cookie = { ...attributes, value: session, httpOnly: true };
  return [
    stringifySetCookie({ ...cookie, name: SESSION_COOKIE }),
    stringifySetCookie({ ...attributes, name: XSRF_COOKIE, value: xsrfToken }),
    ...(place.isEncrypted ? [stringifySetCookie({ ...cookie, name: HOST_SESSION_COOKIE, secure: true })] : []),
  ];
}

/**
 * Returns the session that a request brings. Programs read the cookie `session` and send it with other requests
 * (contract/analysis.md section 11.2). Of browsers (Fetch Metadata) with TLS, only the cookie counts that no other host can set.
 */
export function presentedSession(headers: IncomingHttpHeaders, { isEncrypted }: RequestPlace): string | undefined {
  if (headers.cookie === undefined) return undefined;
  const cookies = parseCookie(headers.cookie);
  const isBrowser = headers['sec-fetch-site'] !== undefined;
  return cookies[HOST_SESSION_COOKIE] ?? (isBrowser && isEncrypted ? undefined : cookies[SESSION_COOKIE]);
}

const FORGOTTEN_COOKIES = [
  stringifySetCookie({ ...WHOLE_SERVICE, name: SESSION_COOKIE, value: '', maxAge: 0, httpOnly: true }),
  stringifySetCookie({ ...WHOLE_SERVICE, name: XSRF_COOKIE, value: '', maxAge: 0 }),
];
const FORGOTTEN_HOST_COOKIE = stringifySetCookie({
  ...WHOLE_SERVICE,
  ...{ name: HOST_SESSION_COOKIE, value: '', maxAge: 0, httpOnly: true, secure: true },
});

/** Returns the `Set-Cookie` headers that remove the cookies of a session. */
export function forgottenCookies({ cookie = '' }: IncomingHttpHeaders): string[] {
  const hasHostCookie = parseCookie(cookie)[HOST_SESSION_COOKIE] !== undefined;
  return hasHostCookie ? [...FORGOTTEN_COOKIES, FORGOTTEN_HOST_COOKIE] : FORGOTTEN_COOKIES;
}

/** Returns whether browsers send cookies over HTTPS only. */
export function isSecure(
  { isEncrypted }: RequestPlace,
  setting: Settings['analysis']['ui']['session_cookies'],
): boolean {
  return setting === 'auto' ? isEncrypted : setting === 'secure';
}
