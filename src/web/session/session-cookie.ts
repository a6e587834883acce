import { parseCookie, stringifySetCookie } from 'cookie';
import type { RequestPlace } from '../../identity/oauth/return-address.ts';

type Connection = Pick<RequestPlace, 'isEncrypted'>;

/**
 * Browsers keep one set of cookies for all ports of a host: `session` and `XSRF-TOKEN` belong to other
 * services.
 */
const PLAIN_NAME = 'triad';
/** The name with TLS, which other hosts of the domain cannot set (RFC 6265bis section 4.1.3.2). */
const ENCRYPTED_NAME = '__Host-triad';

/** Returns the `Set-Cookie` header of a session, which no script reads and no other site sends. */
export function sessionCookie({ isEncrypted }: Connection, value: string, maxAge: number): string {
  const name = isEncrypted ? ENCRYPTED_NAME : PLAIN_NAME;
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure: isEncrypted } as const;
  return stringifySetCookie({ name, value, maxAge, ...attributes });
}

/** Returns the `Set-Cookie` header that removes the cookie of a session. */
export function expiredCookie(connection: Connection): string {
  return sessionCookie(connection, '', 0);
}

/** Returns the cookie of a session. With TLS only the one that counts which other hosts cannot set. */
export function readSessionCookie({ isEncrypted }: Connection, header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[isEncrypted ? ENCRYPTED_NAME : PLAIN_NAME];
}
