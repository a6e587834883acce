import { Type } from 'typebox';
import { NotFound } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { AnalysisApiKeys, AnalysisKey } from '../../identity/keys/analysis-api-keys.ts';
import { text } from '../../input/input-kinds.ts';
import type { AccessDenials } from '../access-denials.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, NullableText, operation } from '../operations/analysis-operation.ts';
import { listedKeyRoles } from '../operations/listed-roles.ts';
import { ApiKeyQuery, searchApiKeys } from './api-key-search.ts';

const OWN_KEYS = { ...ANYONE, roles: ['apikey_access'], audit: true } as const;

const Key = Type.Object({
  id: Type.String({ description: '`<key name>+<user name>`' }),
  key_name: Type.String(),
  uname: Type.String(),
  acl: Type.Array(Type.String()),
  roles: Type.Array(Type.String(), { description: 'What the key allows of what its owner may do.' }),
  creation_date: NullableText,
  expiry_ts: NullableText,
  last_used: NullableText,
});
const MadeKey = Type.Object({
  ...Key.properties,
  keypassword: Type.Union([Type.String(), Type.Null()], {
    description: '`<key name>:<secret>`, once; null when a key was changed.',
  }),
});
const KeyInput = Type.Object({
  key_name: Type.Optional(text({ description: 'Letters, digits, `_`, `-` and blanks.', examples: ['reports'] })),
  priv: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.String()], {
      description: 'R, RW, W, E, or C for `roles`.',
      examples: ['R'],
    }),
  ),
  roles: Type.Optional(Type.Array(Type.String())),
  expiry_ts: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601; null: never.' })),
  uname: Type.Optional(text({ description: 'Owner; default the caller. Administrators may name any user.' })),
});
const KeyQuery = Type.Object({
  keyid: Type.Optional(text({ description: 'Changes this key instead of making one; its secret stays.' })),
});
const ById = pathParameters({ key_id: ['Identifier of the key, `<key name>+<user name>`.', 'reports+admin'] });
const Found = Type.Object({
  items: Type.Array(Key),
  offset: Type.Integer(),
  rows: Type.Integer(),
  total: Type.Integer(),
});

/** Serves `/api/v4/apikey/`: API keys (contract/analysis.md section 2.2). */
export const apiKeyRoutes =
  ({ apiKeys, denials }: { readonly apiKeys: AnalysisApiKeys; readonly denials: AccessDenials }): RouteModule =>
  (app) => {
    app.put(
      '/api/v4/apikey/add/',
      {
        access: { ...OWN_KEYS, inOwnName: true },
        compress: false,
        schema: operation('apikey_add_apikey', 'Make or change an API key', {
          querystring: KeyQuery,
          body: KeyInput,
          reply: MadeKey,
        }),
      },
      async (request) => {
        const { body, query } = request;
        const origin = auditOrigin(request, 'analysis');
        if (query.keyid !== undefined) {
          const changed = await apiKeys.change(callerOf(request), query.keyid, body, origin);
          return { ...listed(changed ?? missing()), keypassword: null };
        }
        const { key, secret } = await apiKeys.create(callerOf(request), body, origin);
        return { ...listed(key), keypassword: secret };
      },
    );

    app.get(
      '/api/v4/apikey/list/',
      {
        access: { ...OWN_KEYS, roles: ['administration'] },
        schema: operation('apikey_list_apikeys', 'Search among the API keys of all users', {
          querystring: ApiKeyQuery,
          reply: Found,
        }),
      },
      async (request) => searchApiKeys((await apiKeys.all()).map(listed), request.query),
    );

    app.get(
      '/api/v4/apikey/username/:uname/',
      {
        access: OWN_KEYS,
        schema: operation('apikey_get_user_apikey', 'List the API keys of a user', {
          params: pathParameters({ uname: ['Name of the user.', 'admin'] }),
          reply: Type.Array(Key),
        }),
      },
      async (request) => (await apiKeys.ofUser(callerOf(request), request.params.uname)).map(listed),
    );

    app.get(
      '/api/v4/apikey/:key_id/',
      {
        access: OWN_KEYS,
        schema: operation('apikey_check_apikey_exists', 'Get an API key', { params: ById, reply: Key }),
      },
      async (request) => {
        const key = await apiKeys.find(callerOf(request), request.params.key_id).catch((error: Error) => {
          throw denials(error, request.path, request.ip);
        });
        return listed(key ?? missing());
      },
    );

    app.delete(
      '/api/v4/apikey/:key_id/',
      {
        access: { ...OWN_KEYS, quota: true },
        schema: operation('apikey_delete_apikey', 'Revoke an API key', { params: ById }),
      },
      async (request) => ({
        success: await apiKeys.revoke(callerOf(request), request.params.key_id, auditOrigin(request, 'analysis')),
      }),
    );
  };

function listed(key: AnalysisKey): AnalysisKey {
  return { ...key, roles: listedKeyRoles(key.roles) };
}

function missing(): never {
  throw new NotFound('api_key_missing', 'Cannot find APIKey with the given ID.', { response: null });
}
