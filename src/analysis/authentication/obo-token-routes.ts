import { Type } from 'typebox';
import { auditOrigin } from '../../http/audit-origin.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { PermissionRequests } from '../../identity/obo/permission-requests.ts';
import { singleText } from '../../input/input-kinds.ts';

const tags = ['auth'];
const access: GuardedAccess = { privileges: 'by_roles', roles: ['obo_access'], quota: 'concurrent' };

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
const Success = Type.Object({ success: Type.Boolean() });

/** `/api/v4/auth/obo_token/`: users say which clients may call in their name. */
export const oboTokenRoutes =
  ({ permissions }: { readonly permissions: PermissionRequests }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/auth/obo_token/',
      {
        access,
        schema: {
          tags,
          operationId: 'auth_get_obo_token',
          summary: 'Allow a client to call in your name',
          description:
            'Sends the browser to `redirect_url` with `token`, or with `error` and `error_description`. The request has to come from a page of this service or of that address.',
          querystring: PermissionQuery,
        },
      },
      async (request, reply) => {
        const { query } = request;
        const address = await permissions.grant(
          request.actor,
          {
            clientId: query.client_id,
            redirectUrl: query.redirect_url,
            roles: query.roles,
            scope: query.scope,
            server: query.server,
            place: request.place,
          },
          auditOrigin(request, 'analysis'),
        );
        // The token is in the address: no page behind it learns it.
        reply.header('referrer-policy', 'no-referrer');
        return reply.redirect(address, 302);
      },
    );

    app.delete(
      '/api/v4/auth/obo_token/:token_id/',
      {
        access,
        schema: {
          tags,
          operationId: 'auth_delete_obo_token',
          summary: 'Withdraw the permission of a client to call in your name',
          params: pathParameters('token_id'),
          response: { 200: Success },
        },
      },
      async (request) => {
        await permissions.withdraw(request.actor, request.params.token_id, auditOrigin(request, 'analysis'));
        return { success: true };
      },
    );
  };
