import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from '../../identity/actor.ts';
import { LOGIN_LIFETIME } from '../../identity/oauth/login-states.ts';
import { requestCookie } from '../input/request-cookie.ts';

/** Where it is kept, and which requests bring it. */
interface BindingCookie {
  readonly name: string;
  /** Undefined: that of the routes beside the one that gives it. */
  readonly path?: string | undefined;
}

/**
 * Cookies of connections without TLS. Browsers keep one set of cookies for a host, whatever the port
 * (RFC 6265 section 8.5): no service may set one that another reads. Pages of the public enrichment
 * service know its name, which is also that of the session of the analysis service: it stays with the
 * routes of logins.
 */
const PLAIN_COOKIES: Readonly<Record<ServiceName, BindingCookie>> = {
  alerts: { name: 'alerts-login', path: '/' },
  analysis: { name: 'analysis-login', path: '/' },
  enrichment: { name: 'session' },
};

/**
 * The cookie of a connection with TLS. With this prefix, other hosts of the same domain cannot set it
 * (RFC 6265bis section 4.1.3.2).
 */
const encryptedCookie = (service: ServiceName) => `__Host-${service}-login`;

/**
 * What binds a login at an identity provider to the browser that began it; undefined: this browser
 * began none at the service.
 */
export function loginBinding(request: FastifyRequest, service: ServiceName): string | undefined {
  const { isEncrypted } = request.place;
  return requestCookie(request, isEncrypted ? encryptedCookie(service) : PLAIN_COOKIES[service].name);
}

/**
 * Leaves the binding with the browser, until the login has to be over: where no script reads it. The
 * provider's answer is a link that the browser follows, and then a request of the page itself, so it
 * is sent along with links.
 * @param plain of a connection without TLS: `secure`: whether the browser sends it over HTTPS alone; `path`: if not that of the
 *   service
 */
export function keepLoginBinding(
  reply: FastifyReply,
  service: ServiceName,
  binding: string,
  plain: { readonly secure: boolean; readonly path?: string | undefined },
): void {
  const { name, path = plain.path } = PLAIN_COOKIES[service];
  const place = reply.request.place.isEncrypted
    ? { name: encryptedCookie(service), path: '/', secure: true }
    : { name, secure: plain.secure, ...(path === undefined ? {} : { path }) };
  reply.header(
    'set-cookie',
    stringifySetCookie({ ...place, value: binding, maxAge: LOGIN_LIFETIME, httpOnly: true, sameSite: 'lax' }),
  );
}
