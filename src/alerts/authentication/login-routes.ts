import { randomBytes } from 'node:crypto';
import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestOrigin } from '../../http/audit-origin.ts';
import { readLoginArguments, textArgument } from '../../http/login-arguments.ts';
import { objectBody } from '../../http/object-body.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { PRIVILEGES } from '../../identity/actor.ts';
import type { AlertIdentity } from '../../identity/alerts/alert-identity.ts';
import { base32 } from '../../identity/keys/api-key-secret.ts';
import { Type } from '../../schema/type.ts';
import { answerProviderLogin, type ProviderLoginDependencies } from './provider-login-routes.ts';

export interface LoginRouteDependencies extends ProviderLoginDependencies {
  readonly identity: Pick<AlertIdentity, 'login'>;
}

const tags = ['auth'];
const LoginBody = Type.Object({
  user: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  otp: Type.Optional(Type.String({ description: 'One-time password, for users who have set that up.' })),
  apikey: Type.Optional(Type.String({ description: '`<key name>:<secret>`' })),
  oauth_provider: Type.Optional(Type.String({ description: 'Name of an identity provider; `provider` is the same.' })),
  refresh_token: Type.Optional(Type.String({ description: 'Of that provider, for a new access token.' })),
});
const LoginQuery = Type.Object({
  ...LoginBody.properties,
  nonce: Type.Optional(Type.String({ description: 'Made up by the page; comes back in the identity token.' })),
  code: Type.Optional(Type.String({ description: 'What the provider sent the browser back with.' })),
  state: Type.Optional(Type.String({ description: 'Likewise.' })),
});
const LoginReply = Type.Object({
  app_token: Type.String({ description: 'For `Authorization: Bearer`. From a provider: its access token.' }),
  provider: Type.Union([Type.String(), Type.Null()]),
  refresh_token: Type.Union([Type.String(), Type.Null()]),
  privileges: Type.Array(Type.String()),
});

/**
 * `/api/v1/auth/login`: exchanges a password or an API key for an app token, or signs in through an identity provider: with its name alone the
 * browser is sent there (302), with what it brings back, or with a refresh token, the answer is an access token. Form and query arguments are read too.
 */
export const loginRoutes =
  (dependencies: LoginRouteDependencies): RouteModule =>
  (app) => {
    const login = async (request: FastifyRequest, reply: FastifyReply) => {
      const given = request.body === undefined ? objectBody(request.query) : objectBody(request.body);
      const { provider, ...told } = readLoginArguments(given);
      if (provider !== undefined) {
        const answer = await answerProviderLogin(dependencies, { ...told, provider }, request, reply);
        if (!reply.sent) setXsrfToken(reply);
        return answer;
      }
      const { actor, appToken } = await dependencies.identity.login({
        user: textArgument(given, 'user'),
        password: textArgument(given, 'password'),
        otp: textArgument(given, 'otp'),
        apikey: textArgument(given, 'apikey'),
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
    const schema = { tags, summary: 'Log in', response: { 200: LoginReply } };
    app.get(
      '/api/v1/auth/login',
      { access: 'public', compress: false, schema: { ...schema, querystring: LoginQuery } },
      login,
    );
    app.post(
      '/api/v1/auth/login',
      { access: 'public', compress: false, body: 'json_or_form', schema: { ...schema, body: LoginBody } },
      login,
    );
  };

/**
 * Pages of the public system send it back; nothing here depends on it. Without a path, so that it stays with these routes: browsers keep one
 * set of cookies for a host, and the analysis service on another port needs its own of this name.
 */
function setXsrfToken(reply: FastifyReply): void {
  const value = base32(randomBytes(25));
  reply.header(
    'set-cookie',
    stringifySetCookie({ name: 'XSRF-TOKEN', value, httpOnly: true, secure: true, sameSite: 'lax' }),
  );
}
