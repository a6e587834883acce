import { stringifySetCookie } from 'cookie';
import type { Settings } from '../../config/config-schema.ts';
import { SESSION_COOKIE, XSRF_COOKIE } from '../../identity/analysis/analysis-identity.ts';
import type { AnalysisLogin } from '../../identity/analysis/analysis-logins.ts';

/** How the login was sent. */
export interface Transport {
  /** Of the connection. */
  readonly protocol: string;
  /** The header X-Forwarded-Proto: of the browser's connection to the first proxy. */
  readonly forwardedProtocol: string | undefined;
}

/**
 * Cookies of a new session, as headers `Set-Cookie`: one that scripts cannot read, and the XSRF token, which they have to copy into a
 * header. Other sites cannot have the browser send them along, but for links that people follow.
 */
export function sessionCookies(
  { session, xsrfToken, sessionDuration }: AnalysisLogin,
  transport: Transport,
  setting: Settings['analysis']['ui']['session_cookies'],
): string[] {
  const attributes = {
    path: '/',
    sameSite: 'lax',
    secure: setting === 'secure' || (setting === 'auto' && isEncrypted(transport)),
    maxAge: sessionDuration,
  } as const;
  return [
    stringifySetCookie({ ...attributes, name: SESSION_COOKIE, value: session, httpOnly: true }),
    stringifySetCookie({ ...attributes, name: XSRF_COOKIE, value: xsrfToken }),
  ];
}

function isEncrypted({ protocol, forwardedProtocol }: Transport): boolean {
  const first = forwardedProtocol?.split(',')[0]?.trim().toLowerCase();
  return (first || protocol) === 'https';
}
