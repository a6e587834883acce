import { stringifySetCookie } from 'cookie';
import type { Settings } from '../../config/config-schema.ts';
import { SESSION_COOKIE, XSRF_COOKIE } from '../../identity/analysis/analysis-identity.ts';
import type { AnalysisLogin } from '../../identity/analysis/analysis-logins.ts';

/** Of a request, what says whether the browser's connection is encrypted. */
export interface Transport {
  /** Of the connection. */
  readonly protocol: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Cookies of a new session, as headers `Set-Cookie`: one that scripts cannot read, and the XSRF token, which they have to copy into a
 * header. Other sites cannot have the browser send them along, but for links that people follow.
 */
export function sessionCookies(
  { session, xsrfToken, sessionDuration, rolesLimit }: AnalysisLogin,
  transport: Transport,
  setting: Settings['analysis']['ui']['session_cookies'],
): string[] {
  const attributes = {
    path: '/',
    // Sessions with a limit need no XSRF token, so they are not sent along with links of other sites either.
    sameSite: rolesLimit === undefined ? 'lax' : 'strict',
    secure: isSecure(transport, setting),
    maxAge: sessionDuration,
  } as const;
  return [
    stringifySetCookie({ ...attributes, name: SESSION_COOKIE, value: session, httpOnly: true }),
    stringifySetCookie({ ...attributes, name: XSRF_COOKIE, value: xsrfToken }),
  ];
}

/** Whether the browser is to send cookies over HTTPS alone. A proxy in front says by X-Forwarded-Proto how the browser reached it. */
export function isSecure(
  { protocol, headers }: Transport,
  setting: Settings['analysis']['ui']['session_cookies'],
): boolean {
  if (setting !== 'auto') return setting === 'secure';
  const forwarded = String(headers['x-forwarded-proto'] ?? '')
    .split(',')[0]
    ?.trim()
    .toLowerCase();
  return (forwarded || protocol) === 'https';
}
