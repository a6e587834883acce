import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { generateSecret } from 'otplib';
import { type Static, Type } from 'typebox';
import { requestOrigin } from '../../http/guard.ts';
import { CredentialFields, ProviderLoginFields } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { PRIVILEGES } from '../../identity/actor.ts';
import type { AlertIdentity } from '../../identity/alert-identity.ts';
import { answerProviderLogin, type ProviderLoginDependencies } from './provider-login-routes.ts';

export interface LoginRouteDependencies extends ProviderLoginDependencies {
  readonly identity: Pick<AlertIdentity, 'login'>;
}

const tags = ['auth'];
const LoginInput = Type.Object(
  { ...CredentialFields, ...ProviderLoginFields },
  // Without a body, the arguments of the address count.
  { default: {}, examples: [{ user: 'admin', password: 'admin' }] },
);
type LoginInput = Static<typeof LoginInput>;
const LoginReply = Type.Object({
  app_token: Type.String({ description: 'For `Authorization: Bearer`. From a provider: its access token.' }),
  provider: Type.Union([Type.String(), Type.Null()]),
  refresh_token: Type.Union([Type.String(), Type.Null()]),
  privileges: Type.Array(Type.String()),
});

/**
 * Registers `/api/v1/auth/login`: exchanges a password or an API key for an app token.
 * With the name of an identity provider alone it redirects the browser there (302). With what the browser brings back, or
 * with a refresh token, the answer is an access token. Form and query arguments are read too.
 */
export const loginRoutes =
  (dependencies: LoginRouteDependencies): RouteModule =>
  (app) => {
    const login = async (given: LoginInput, request: FastifyRequest, reply: FastifyReply) => {
      const { provider = given.oauth_provider, user, password, otp, webauthn_auth_resp, apikey } = given;
      if (provider !== undefined) {
        const answer = await answerProviderLogin(dependencies, { ...given, provider }, request, reply);
        if (!reply.sent) setXsrfToken(reply);
        return answer;
      }
      const { actor, appToken } = await dependencies.identity.login({
        user,
        password,
        otp,
        webauthn_auth_resp,
        apikey,
        ...requestOrigin(request),
      });
      setXsrfToken(reply);
      return {
        app_token: appToken,
        provider: null,
        refresh_token: null,
        privileges: PRIVILEGES.filter((privilege) => actor.privileges.has(privilege)),
      };
    };
    const schema = {
      tags,
      summary: 'Log in',
      response: { 200: LoginReply, 302: {} },
      refusals: [401, 403, 404, 429] as const,
    };
    app.get(
      '/api/v1/auth/login',
      { access: 'public', compress: false, schema: { ...schema, querystring: LoginInput } },
      (request, reply) => login(request.query, request, reply),
    );
    app.post(
      '/api/v1/auth/login',
      {
        access: 'public',
        compress: false,
        body: 'json_or_form',
        schema: { ...schema, querystring: LoginInput, body: LoginInput },
      },
      (request, reply) => login({ ...request.query, ...request.body }, request, reply),
    );
  };

/**
 * Sets the token that pages of the public system send back; nothing here depends on it. It has no
 * path, so that it stays with these routes: the analysis service on another port of the host has its own of this name.
 */
function setXsrfToken(reply: FastifyReply): void {
  const value = generateSecret({ length: 25 });
  reply.header(
    'set-cookie',
    stringifySetCookie({ name: 'XSRF-TOKEN', value, httpOnly: true, secure: true, sameSite: 'lax' }),
  );
}
