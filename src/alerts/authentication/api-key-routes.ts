import { Type } from 'typebox';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteAccess, type RouteModule } from '../../http/route-access.ts';
import type { AlertIdentity } from '../../identity/alert-identity.ts';
import type { AlertApiKeys } from '../../identity/keys/alert-api-keys.ts';
import { documentOf, field } from '../../input/input-kinds.ts';

const OWN_KEYS: RouteAccess = { privileges: ['E'], roles: ['admin', 'user'] };

const tags = ['auth'];
const NewApiKeyBody = documentOf(
  {
    name: field(Type.String({ pattern: '^[A-Za-z0-9_ -]*$' })),
    priv: field(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: 'R read, W write, E extended, I impersonate; as a string or a list.',
      }),
    ),
    expiry_date: Type.Optional(field(Type.String({ description: 'ISO 8601; without a zone UTC.' }))),
    agents: Type.Optional(
      field(Type.Array(Type.String(), { description: 'Who may impersonate the owner with it; for keys with I.' })),
    ),
  },
  { examples: [{ name: 'reports', priv: 'R', expiry_date: '2099-12-31T00:00:00Z' }] },
);
const ByName = pathParameters({ name: ['Name of the key.', 'reports'] });
const NewApiKeyReply = Type.Object({
  apikey: Type.String({ description: '`<stored name>:<secret>`. The secret is not shown again.' }),
});

/** `/api/v1/auth/apikey`: the caller's own API keys. */
export const apiKeyRoutes =
  ({ apiKeys, identity }: { apiKeys: AlertApiKeys; identity: Pick<AlertIdentity, 'tokenOf'> }): RouteModule =>
  (app) => {
    app.post(
      '/api/v1/auth/apikey',
      {
        access: OWN_KEYS,
        compress: false,
        schema: { tags, summary: 'Make an API key', body: NewApiKeyBody, response: { 200: NewApiKeyReply } },
      },
      async (request) => {
        const { actor, body, headers } = request;
        const token = actor.method === 'oauth' ? await identity.tokenOf(headers.authorization) : undefined;
        const apikey = await apiKeys.create(actor, body, auditOrigin(request, 'alerts'), token?.expires);
        return { apikey };
      },
    );

    app.delete(
      '/api/v1/auth/apikey/:name',
      { access: OWN_KEYS, schema: { tags, summary: 'Revoke an API key', params: ByName, response: NO_CONTENT } },
      (request) => apiKeys.delete(request.actor.username, request.params.name, auditOrigin(request, 'alerts')),
    );
  };
