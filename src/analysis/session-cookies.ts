import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Settings } from '../config/config-schema.ts';
import type { AnalysisLogin } from '../identity/analysis-logins.ts';
import type { RequestPlace } from '../identity/oauth/return-address.ts';
import { HOST_SESSION_COOKIE, SESSION_COOKIE } from '../identity/sessions/analysis-sessions.ts';

const XSRF_COOKIE = 'XSRF-TOKEN';
const WHOLE_SERVICE = { path: '/' } as const;

/** Returns `Set-Cookie` headers of a session and its XSRF token, which scripts copy into a header. */
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

function forgotten(name: string, more: { readonly httpOnly?: boolean; readonly secure?: boolean } = {}): string {
  return stringifySetCookie({ ...WHOLE_SERVICE, name, value: '', maxAge: 0, ...more });
}

/** Removes the cookie of a session. */
export const NO_SESSION = forgotten(SESSION_COOKIE, { httpOnly: true });
const FORGOTTEN_COOKIES = [NO_SESSION, forgotten(XSRF_COOKIE)];
const FORGOTTEN_HOST_COOKIE = forgotten(HOST_SESSION_COOKIE, { httpOnly: true, secure: true });

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
