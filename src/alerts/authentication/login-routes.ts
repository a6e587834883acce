import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { callOf } from '../../http/audit-origin.ts';
import { objectBody } from '../../http/object-body.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { PRIVILEGES } from '../../identity/actor.ts';
import { base32 } from '../../identity/api-key-secret.ts';
import type { Identity } from '../../identity/identity.ts';

const tags = ['auth'];
const LoginBody = Type.Object({
  user: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  apikey: Type.Optional(Type.String({ description: '`<key name>:<secret>`' })),
  oauth_provider: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
});
const LoginReply = Type.Object({
  app_token: Type.String({ description: 'For `Authorization: Bearer`.' }),
  provider: Type.Union([Type.String(), Type.Null()]),
  refresh_token: Type.Union([Type.String(), Type.Null()]),
  privileges: Type.Array(Type.String()),
});

/** `/api/v1/auth/login`: exchanges a password or an API key for an app token. Form and query arguments are read too. */
export const loginRoutes =
  ({ identity }: { identity: Pick<Identity, 'login'> }): RouteModule =>
  (app) => {
    const login = async (request: FastifyRequest, reply: FastifyReply) => {
      const given = request.body === undefined ? objectBody(request.query) : objectBody(request.body);
      const provider = text(given, 'provider') ?? text(given, 'oauth_provider');
      if (provider !== undefined) throw new InvalidInput('oauth_disabled', 'OAuth is disabled.', { at: 'provider' });
      const { actor, appToken } = await identity.login({
        user: text(given, 'user'),
        password: text(given, 'password'),
        apikey: text(given, 'apikey'),
        address: request.ip,
        userAgent: request.headers['user-agent'],
        requestId: request.id,
        call: callOf(request),
      });
      reply.header('set-cookie', `XSRF-TOKEN=${base32(randomBytes(25))}; Secure; HttpOnly; SameSite=Lax; Path=/`);
      reply.header('cache-control', 'no-store');
      return {
        app_token: appToken,
        provider: null,
        refresh_token: null,
        privileges: PRIVILEGES.filter((privilege) => actor.privileges.has(privilege)),
      };
    };
    const schema = { tags, summary: 'Log in', response: { 200: LoginReply } };
    app.get('/api/v1/auth/login', { access: 'public', schema: { ...schema, querystring: LoginBody } }, login);
    app.post(
      '/api/v1/auth/login',
      { access: 'public', body: 'json_or_form', schema: { ...schema, body: LoginBody } },
      login,
    );
  };

/** A member of what was sent; empty texts and null count as missing. @throws InvalidInput `wrong_argument_kind` */
function text(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new InvalidInput('wrong_argument_kind', `The argument ${name} must be a text.`, { at: name });
}
