import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditOrigin } from '../../http/audit-origin.ts';
import type { LoginArguments } from '../../http/login-arguments.ts';
import type { CodeLogin, OAuthSignIn } from '../../identity/oauth/code-login.ts';
import { returnAddress } from '../../identity/oauth/return-address.ts';
import type { Arrivals } from '../users/arrivals.ts';

export interface ProviderLoginParts {
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'finish' | 'refresh'>;
  /** Origins whose pages may begin a login, besides that of the service itself. */
  readonly redirectOrigins: readonly string[];
  readonly arrivals: Pick<Arrivals, 'welcome'>;
}

export type ProviderLoginArguments = LoginArguments & { readonly provider: string };

/** Binds a login to the browser that began it. Without a path, so that it goes back to these routes alone, also behind a proxy. */
const BINDING_COOKIE = 'oauth-login';
/** Seconds; as long as a login may take. */
const BINDING_LIFETIME = 600;

/** What a login that names a provider is answered with: the way to the provider (then undefined), or a token (contract/alert.md section 2.2). */
export async function answerProviderLogin(
  parts: ProviderLoginParts,
  given: ProviderLoginArguments,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | Readonly<Record<string, unknown>>> {
  const { provider, refreshToken, code, error } = given;
  const place = { provider, service: 'alerts', origin: auditOrigin(request, 'alerts') } as const;
  if (code === undefined && error === undefined) {
    if (refreshToken === undefined) return begin(parts, given, request, reply);
    const refreshed = await parts.codeLogin.refresh({ ...place, refreshToken });
    // RFC 6749 section 6: without a new one the old one stays good.
    return loginReply({ ...refreshed, refreshToken: refreshed.refreshToken ?? refreshToken });
  }
  const { state, iss, nonce, errorDescription } = given;
  const binding = bindingOf(request);
  const answer = { ...place, code, state, iss, nonce, error, error_description: errorDescription, binding };
  const signIn = await parts.codeLogin.finish(answer);
  await parts.arrivals.welcome(signIn);
  return loginReply(signIn);
}

async function begin(
  { codeLogin, redirectOrigins }: ProviderLoginParts,
  { provider, nonce }: ProviderLoginArguments,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { referer, host } = request.headers;
  const redirectAddress = returnAddress({ referer, host, protocol: request.protocol }, provider, redirectOrigins);
  const { address, binding } = await codeLogin.begin({
    provider,
    service: 'alerts',
    origin: auditOrigin(request, 'alerts'),
    redirectAddress,
    nonce,
    binding: bindingOf(request),
  });
  // Browsers keep no Secure cookie of a page without TLS.
  const secure = redirectAddress.startsWith('https:') ? '; Secure' : '';
  const attributes = `Max-Age=${BINDING_LIFETIME}; HttpOnly; SameSite=Lax${secure}`;
  reply.header('set-cookie', `${BINDING_COOKIE}=${binding}; ${attributes}`);
  return reply.redirect(address, 302);
}

function loginReply({ token, refreshToken }: OAuthSignIn): Readonly<Record<string, unknown>> {
  return {
    app_token: token.token,
    provider: token.provider,
    refresh_token: refreshToken,
    privileges: ['R', 'W', 'E'],
  };
}

function bindingOf({ headers }: FastifyRequest): string | undefined {
  return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[BINDING_COOKIE];
}
