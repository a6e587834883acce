import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { generateSecret } from 'otplib';
import { type Static, Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { Unauthenticated } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/guard.ts';
import { type ProviderLogin, ProviderLoginFields } from '../../http/input/input-schemas.ts';
import { finishProviderLogin, startProviderLogin } from '../../http/origins/provider-login.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { ROLES } from '../../identity/actor.ts';
import { type CodeLogin, isAnswered, type OAuthSignIn } from '../../identity/oauth/code-login.ts';
import { returnAddress } from '../../identity/oauth/return-address.ts';
import { NO_PASSWORD } from '../../identity/passwords/passwords.ts';

interface LoginRouteDependencies {
  readonly classification: Pick<ClassificationEngine, 'normalise'>;
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'finish' | 'refresh'>;
  /** Origins whose pages may begin a login, in addition to that of the service itself. */
  readonly redirectOrigins: readonly string[];
  /** Returns whether pages of an origin may call the service, and start a login. */
  readonly isKnownOrigin: (origin: string) => boolean;
}

/** Path of the routes where browsers log in. */
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
 * Serves `/api/v1/auth/login`, for programs `/api/login/` (contract/enrichment.md section 1.4).
 * Without `code` and `refresh_token` it sends the browser to the provider, with one of them it answers an access token.
 */
export const loginRoutes = (dependencies: LoginRouteDependencies): RouteModule => {
  const { codeLogin, classification } = dependencies;
  const login = async (given: LoginInput, request: FastifyRequest, reply: FastifyReply) => {
    const { provider = given.oauth_provider, refresh_token: refreshToken } = given;
    if (provider === undefined) {
      throw new Unauthenticated('incomplete_login', 'Not enough information to proceed with authentication');
    }
    if (!isAnswered(given) && refreshToken === undefined) {
      return start(dependencies, { ...given, provider }, request, reply);
    }
    const origin = auditOrigin(request, 'enrichment');
    const signedIn =
      given.code === undefined && refreshToken !== undefined
        ? await codeLogin.refresh({ provider, service: 'enrichment', origin, refreshToken })
        : await finishProviderLogin(codeLogin, 'enrichment', request, { ...given, provider });
    // Programs of the public system send it back; nothing here depends on it. It has no path, so that it stays with these
    // routes: browsers keep one set of cookies for a host, and the analysis service on another port has its own of this name.
    const value = generateSecret({ length: 25 });
    reply.header('set-cookie', stringifySetCookie({ name: 'XSRF-TOKEN', value, secure: true, sameSite: 'lax' }));
    return loginResult(signedIn, classification);
  };
  const schema = {
    tags,
    summary: 'Sign in through an identity provider',
    response: { 200: LoginReply, 302: {} },
    refusals: [401, 403, 404, 429] as const,
  };
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

function start(
  { codeLogin, redirectOrigins, isKnownOrigin }: LoginRouteDependencies,
  { provider, nonce }: ProviderLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const page = URL.parse(request.headers.referer ?? '')?.origin;
  const origins = page !== undefined && isKnownOrigin(page) ? [...redirectOrigins, page] : redirectOrigins;
  const redirectAddress = returnAddress(request.place, provider, origins);
  // Behind a proxy these routes may have another path for the browser, which the default of the cookie follows.
  const path = request.path.startsWith(`${ROUTES}/`) ? undefined : ROUTES;
  const options = { provider, redirectAddress, nonce, secure: true, path };
  return startProviderLogin(codeLogin, 'enrichment', request, reply, options);
}

/** Returns the account with the picture of the provider (contract/enrichment.md section 1.4). */
function loginResult(
  { user, profile, token, refreshToken }: OAuthSignIn,
  classification: Pick<ClassificationEngine, 'normalise'>,
) {
  // Clients of the public system expect `user` first.
  const types = ['user' as const, ...ROLES].filter((role) => user.type.includes(role));
  return {
    app_token: token.token,
    provider: token.provider,
    refresh_token: refreshToken,
    privileges: ['R', 'W'],
    user: {
      uname: user.uname,
      name: user.name,
      email: user.email ?? null,
      classification: classification.normalise(user.classification),
      type: [...new Set(types)],
      groups: user.groups,
      avatar: profile.picture ?? null,
      // A constant of the public system, which has no passwords.
      password: NO_PASSWORD,
    },
  };
}
