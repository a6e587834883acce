import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditOrigin } from '../../http/audit-origin.ts';
import type { ProviderLogin } from '../../http/input/input-schemas.ts';
import { keepLoginBinding, loginBinding } from '../../http/origins/login-binding.ts';
import { type CodeLogin, isAnswered, type OAuthSignIn } from '../../identity/oauth/code-login.ts';
import { returnAddress } from '../../identity/oauth/return-address.ts';
import type { PostLoginHooks } from './post-login-hooks.ts';

export interface ProviderLoginDependencies {
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'finish' | 'refresh'>;
  /** Origins whose pages may begin a login, besides that of the service itself. */
  readonly redirectOrigins: readonly string[];
  readonly arrivals: Pick<PostLoginHooks, 'run'>;
}

/** What a login that names a provider is answered with: the way to the provider (then undefined), or a token (contract/alert.md section 2.2). */
export async function answerProviderLogin(
  dependencies: ProviderLoginDependencies,
  given: ProviderLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | Readonly<Record<string, unknown>>> {
  const { provider, refresh_token: refreshToken, nonce, code, state, iss, error, error_description } = given;
  const place = { provider, service: 'alerts', origin: auditOrigin(request, 'alerts') } as const;
  if (!isAnswered(given)) {
    if (refreshToken === undefined) return begin(dependencies, given, request, reply);
    const refreshed = await dependencies.codeLogin.refresh({ ...place, refreshToken });
    // RFC 6749 section 6: without a new one the old one stays good.
    return loginReply({ ...refreshed, refreshToken: refreshed.refreshToken ?? refreshToken });
  }
  const answer = { code, state, iss, error, error_description };
  const binding = loginBinding(request, 'alerts');
  const signIn = await dependencies.codeLogin.finish({ ...place, ...answer, nonce, binding });
  await dependencies.arrivals.run(signIn);
  return loginReply(signIn);
}

async function begin(
  { codeLogin, redirectOrigins }: ProviderLoginDependencies,
  { provider, nonce }: ProviderLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const redirectAddress = returnAddress(request.place, provider, redirectOrigins);
  const { address, binding } = await codeLogin.begin({
    provider,
    service: 'alerts',
    origin: auditOrigin(request, 'alerts'),
    redirectAddress,
    nonce,
    binding: loginBinding(request, 'alerts'),
  });
  // Browsers keep no Secure cookie of a page without TLS.
  keepLoginBinding(reply, 'alerts', binding, { secure: redirectAddress.startsWith('https:') });
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
