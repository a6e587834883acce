import { randomBytes } from 'node:crypto';
import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { Unauthenticated } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { type ProviderLogin, ProviderLoginFields } from '../../http/input/input-schemas.ts';
import { keepLoginBinding, loginBinding } from '../../http/origins/login-binding.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { base32 } from '../../identity/keys/api-key-records.ts';
import { type CodeLogin, isAnswered } from '../../identity/oauth/code-login.ts';
import { returnAddress } from '../../identity/oauth/return-address.ts';
import { loginResult } from './login-result.ts';

export interface LoginRouteDependencies {
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'finish' | 'refresh'>;
  /** Origins whose pages may begin a login, besides that of the service itself. */
  readonly redirectOrigins: readonly string[];
  /** Whether pages of an origin may call the service; then they may begin a login, too. */
  readonly isKnownOrigin: (origin: string) => boolean;
}

/** Where browsers log in. */
const ROUTES = '/api/v1/auth';

const tags = ['auth'];
const LoginInput = Type.Object(ProviderLoginFields, { default: {} });
type LoginInput = Static<typeof LoginInput>;
const LoginReply = Type.Object({
  app_token: Type.String({ description: 'Access token of the provider, for `Authorization: Bearer`.' }),
  provider: Type.String(),
  refresh_token: Type.Union([Type.String(), Type.Null()]),
  privileges: Type.Array(Type.String()),
  user: Type.Record(Type.String(), Type.Unknown()),
});

/**
 * `/api/v1/auth/login`: without `code` and `refresh_token` the browser is sent to the identity provider; with one of them the answer is an
 * access token (contract/enrichment.md section 1.4). `/api/login/` is the same for programs.
 */
export const loginRoutes = (dependencies: LoginRouteDependencies): RouteModule => {
  const login = async (given: LoginInput, request: FastifyRequest, reply: FastifyReply) => {
    const { provider = given.oauth_provider } = given;
    if (provider === undefined) {
      throw new Unauthenticated('incomplete_login', 'Not enough information to proceed with authentication');
    }
    if (!isAnswered(given) && given.refresh_token === undefined) {
      return begin(dependencies, { ...given, provider }, request, reply);
    }
    const signedIn = await finish(dependencies, { ...given, provider }, request);
    // Programs of the public system read it and send it back; nothing here depends on it. Without a path, so that it stays with these
    // routes: browsers keep one set of cookies for a host, and the analysis service on another port needs its own of this name.
    const value = base32(randomBytes(25));
    reply.header('set-cookie', stringifySetCookie({ name: 'XSRF-TOKEN', value, secure: true, sameSite: 'lax' }));
    return loginResult(signedIn);
  };
  const schema = { tags, summary: 'Sign in through an identity provider', response: { 200: LoginReply } };
  const withBody = {
    access: 'public',
    compress: false,
    body: 'json_or_form',
    schema: { ...schema, querystring: LoginInput, body: LoginInput },
  } as const;

  return (app) => {
    app.get(
      '/api/v1/auth/login',
      { access: 'public', compress: false, schema: { ...schema, querystring: LoginInput } },
      (request, reply) => login(request.query, request, reply),
    );
    for (const path of ['/api/v1/auth/login', '/api/login/']) {
      app.post(path, withBody, (request, reply) => login({ ...request.query, ...request.body }, request, reply));
    }
  };
};

async function begin(
  { codeLogin, redirectOrigins, isKnownOrigin }: LoginRouteDependencies,
  { provider, nonce }: ProviderLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { referer } = request.headers;
  const page = referer === undefined ? undefined : URL.parse(referer)?.origin;
  const origins = page !== undefined && isKnownOrigin(page) ? [...redirectOrigins, page] : redirectOrigins;
  const { address, binding } = await codeLogin.begin({
    provider,
    service: 'enrichment',
    origin: auditOrigin(request, 'enrichment'),
    redirectAddress: returnAddress(request.place, provider, origins),
    nonce,
    binding: loginBinding(request, 'enrichment'),
  });
  // Behind a proxy these routes may be elsewhere for the browser, which knows where; from the other address of a login it does not.
  const path = request.path.startsWith(`${ROUTES}/`) ? undefined : ROUTES;
  keepLoginBinding(reply, 'enrichment', binding, { secure: true, path });
  return reply.redirect(address, 302);
}

function finish({ codeLogin }: LoginRouteDependencies, given: ProviderLogin, request: FastifyRequest) {
  const { provider, refresh_token: refreshToken, ...answer } = given;
  const place = { provider, service: 'enrichment', origin: auditOrigin(request, 'enrichment') } as const;
  if (answer.code === undefined && refreshToken !== undefined) return codeLogin.refresh({ ...place, refreshToken });
  return codeLogin.finish({ ...place, ...answer, binding: loginBinding(request, 'enrichment') });
}
