import { Type } from 'typebox';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { PermissionRequests } from '../../identity/obo/permission-requests.ts';
import { singleText } from '../../input/input-kinds.ts';
import { ANYONE, operation, Success } from '../operations/analysis-operation.ts';

const access = { ...ANYONE, roles: ['obo_access'] } as const;

const PermissionQuery = Type.Object({
  client_id: Type.Optional(
    singleText({ description: 'User name of the client that will be allowed to use the token. Required.' }),
  ),
  redirect_url: Type.Optional(
    singleText({ description: 'HTTPS address that the browser brings the token to. Required.' }),
  ),
  roles: Type.Optional(singleText({ description: 'Roles of the token, separated by commas.' })),
  scope: Type.Optional(singleText({ description: 'Instead of roles: `r`, `w` or `rw`.' })),
  server: Type.Optional(singleText({ description: 'Name of the server of the client. Required.' })),
});

/** Serves `/api/v4/auth/obo_token/`: users permit clients to call on their behalf. */
export const oboTokenRoutes =
  ({ permissions }: { readonly permissions: PermissionRequests }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/auth/obo_token/',
      {
        access,
        schema: operation('auth_get_obo_token', 'Allow a client to call in your name', {
          description:
            'Sends the browser to `redirect_url` with `token`, or with `error` and `error_description`. The request has to come from a page of this service or of that address.',
          querystring: PermissionQuery,
        }),
      },
      async (request, reply) => {
        const { client_id: clientId, redirect_url: redirectUrl, ...others } = request.query;
        const wanted = { clientId, redirectUrl, ...others, place: request.place };
        const address = await permissions.grant(request.actor, wanted, auditOrigin(request, 'analysis'));
        // The address contains the token, which no later page may learn.
        reply.header('referrer-policy', 'no-referrer');
        return reply.redirect(address, 302);
      },
    );

    app.delete(
      '/api/v4/auth/obo_token/:token_id/',
      {
        access,
        schema: operation('auth_delete_obo_token', 'Withdraw the permission of a client to call in your name', {
          params: pathParameters({ token_id: ['Identifier of the permission.', 'admin_reports'] }),
          reply: Success,
        }),
      },
      (request) => permissions.withdraw(request.actor, request.params.token_id, auditOrigin(request, 'analysis')),
    );
  };
