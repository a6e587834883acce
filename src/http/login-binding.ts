import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from '../identity/actor.ts';
import { LOGIN_LIFETIME } from '../identity/oauth/login-states.ts';
import { requestCookie } from './request-cookie.ts';

/** Where it is kept, and which requests bring it. */
interface BindingCookie {
  readonly name: string;
  /** Undefined: that of the routes beside the one that gives it. */
  readonly path?: string | undefined;
}

/**
 * Browsers keep one set of cookies for a host, whatever the port (RFC 6265 section 8.5): no service may set one that another reads. Pages of
 * the public enrichment service know its name, which is also that of the session of the analysis service: it stays with the routes of logins.
 */
const COOKIES: Readonly<Record<ServiceName, BindingCookie>> = {
  alerts: { name: 'alerts-login', path: '/' },
  analysis: { name: 'analysis-login', path: '/' },
  enrichment: { name: 'session' },
};

/** What binds a login at an identity provider to the browser that began it; undefined: this browser began none at the service. */
export function loginBinding(request: FastifyRequest, service: ServiceName): string | undefined {
  return requestCookie(request, COOKIES[service].name);
}

/**
 * Leaves the binding with the browser, until the login has to be over: where no script reads it. The provider's answer is a link that the
 * browser follows, and then a request of the page itself, so it is sent along with links.
 * @param kept `secure`: whether the browser sends it over HTTPS alone; `path`: if not that of the service
 */
export function keepLoginBinding(
  reply: FastifyReply,
  service: ServiceName,
  binding: string,
  kept: { readonly secure: boolean; readonly path?: string | undefined },
): void {
  const { name, path = kept.path } = COOKIES[service];
  const attributes = { maxAge: LOGIN_LIFETIME, httpOnly: true, sameSite: 'lax', secure: kept.secure } as const;
  reply.header(
    'set-cookie',
    stringifySetCookie({ name, value: binding, ...attributes, ...(path === undefined ? {} : { path }) }),
  );
}
