import type { Collection } from '../../datastore/port/collection.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { toOutput } from '../../documents/schema/output.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { CHANGE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import type { Owned, OwnershipService } from './ownership-service.ts';
import { readPermissionRequests } from './permission-request.ts';

export interface PermissionRouteDependencies<T extends Owned> {
  ownership: OwnershipService;
  collection: Collection<T>;
  definition: DocumentDefinition<T>;
}

const PermissionBody = Type.Array(
  Type.Object({
    privilege: Type.Union([Type.Literal('owner'), Type.Literal('admins'), Type.Literal('members')]),
    user_id: Type.String(),
  }),
  { minItems: 1 },
);

/** `PUT` and `DELETE /api/v1/<kind>/<id>/permission`, the same for every kind of object with an owner. */
export function permissionRoutes<T extends Owned>(dependencies: PermissionRouteDependencies<T>): RouteModule {
  const { ownership, collection, definition } = dependencies;
  const path = `/api/v1/${definition.name}/:id/permission`;
  const schema = { tags: [definition.name], body: PermissionBody };
  return (app) => {
    app.put<{ Params: { id: string } }>(
      path,
      { access: CHANGE, schema: { ...schema, summary: `Give people privileges on a ${definition.name}` } },
      async ({ actor, params, body, query }) => {
        const requests = readPermissionRequests(body);
        return toOutput(definition, await ownership.grant(actor, collection, params.id, requests, readRefresh(query)));
      },
    );
    app.delete<{ Params: { id: string } }>(
      path,
      { access: CHANGE, schema: { ...schema, summary: `Take privileges on a ${definition.name} from people` } },
      async ({ actor, params, body, query }) => {
        const requests = readPermissionRequests(body);
        return toOutput(definition, await ownership.revoke(actor, collection, params.id, requests, readRefresh(query)));
      },
    );
  };
}
