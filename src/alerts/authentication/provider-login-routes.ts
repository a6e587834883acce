import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditOrigin } from '../../http/guard.ts';
import type { ProviderLogin } from '../../http/input/input-schemas.ts';
import { finishProviderLogin, startProviderLogin } from '../../http/origins/provider-login.ts';
import { type CodeLogin, isAnswered, type OAuthSignIn } from '../../identity/oauth/code-login.ts';
import { returnAddress } from '../../identity/oauth/return-address.ts';
import type { PostLoginHooks } from './post-login-hooks.ts';

export interface ProviderLoginDependencies {
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'finish' | 'refresh'>;
  /** Origins whose pages may begin a login, in addition to that of the service itself. */
  readonly redirectOrigins: readonly string[];
  readonly arrivals: Pick<PostLoginHooks, 'run'>;
}

/** Answers a provider login: a token, undefined after a redirection (contract/alert.md section 2.2). */
export async function answerProviderLogin(
  { codeLogin, redirectOrigins, arrivals }: ProviderLoginDependencies,
  given: ProviderLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | Readonly<Record<string, unknown>>> {
  const { provider, refresh_token: refreshToken, nonce } = given;
  if (isAnswered(given)) {
    const signIn = await finishProviderLogin(codeLogin, 'alerts', request, given);
    await arrivals.run(signIn);
    return loginReply(signIn);
  }
  if (refreshToken !== undefined) {
    const origin = auditOrigin(request, 'alerts');
    const refreshed = await codeLogin.refresh({ provider, service: 'alerts', origin, refreshToken });
    // RFC 6749 section 6: without a new one the old one stays good.
    return loginReply({ ...refreshed, refreshToken: refreshed.refreshToken ?? refreshToken });
  }
  const redirectAddress = returnAddress(request.place, provider, redirectOrigins);
  // Browsers keep no Secure cookie of a page without TLS.
  const secure = redirectAddress.startsWith('https:');
  return startProviderLogin(codeLogin, 'alerts', request, reply, { provider, redirectAddress, nonce, secure });
}

function loginReply({ token, refreshToken }: OAuthSignIn): Readonly<Record<string, unknown>> {
  return {
    app_token: token.token,
    provider: token.provider,
    refresh_token: refreshToken,
    privileges: ['R', 'W', 'E'],
  };
}
