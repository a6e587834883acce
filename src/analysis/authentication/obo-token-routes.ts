import type { FastifyRequest } from 'fastify';
import { auditOrigin } from '../../http/audit-origin.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { PermissionRequests } from '../../identity/obo/permission-requests.ts';
import { Type } from '../../schema/type.ts';

const tags = ['auth'];
const access: GuardedAccess = { privileges: 'by_roles', roles: ['obo_access'], quota: 'concurrent' };

const PermissionQuery = Type.Object({
  client_id: Type.String({ description: 'User name of the client that will be allowed to use the token.' }),
  redirect_url: Type.String({ description: 'HTTPS address that the browser brings the token to.' }),
  roles: Type.Optional(Type.String({ description: 'Roles of the token, separated by commas.' })),
  scope: Type.Optional(Type.String({ description: 'Instead of roles: `r`, `w` or `rw`.' })),
  server: Type.String({ description: 'Name of the server of the client.' }),
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
        const { host, headers } = request;
        const address = await permissions.grant(
          request.actor,
          {
            clientId: argument(request, 'client_id'),
            redirectUrl: argument(request, 'redirect_url'),
            roles: argument(request, 'roles'),
            scope: argument(request, 'scope'),
            server: argument(request, 'server'),
            referer: headers.referer,
            host,
          },
          auditOrigin(request, 'analysis'),
        );
        // The token is in the address: nobody keeps it, and no page behind it learns it.
        reply.header('cache-control', 'no-store');
        reply.header('referrer-policy', 'no-referrer');
        return reply.redirect(address);
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
          response: { 200: Success },
        },
      },
      async (request) => {
        const { token_id: tokenId } = request.params as { token_id: string };
        await permissions.withdraw(request.actor, tokenId, auditOrigin(request, 'analysis'));
        return { success: true };
      },
    );
  };

/** An argument of the query that was sent once. */
function argument({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
