import type { Collection } from '../../datastore/port/collection.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { CHANGE } from '../record-access.ts';
import type { Owned, OwnershipService } from './ownership-service.ts';
import { PermissionBody } from './permission-request.ts';

export interface PermissionRouteDependencies<T extends Owned> {
  ownership: OwnershipService;
  collection: Collection<T>;
  definition: DocumentDefinition<T>;
}

/** `PUT` and `DELETE /api/v1/<kind>/<id>/permission`, the same for every kind of object with an owner. */
export function permissionRoutes<T extends Owned>(dependencies: PermissionRouteDependencies<T>): RouteModule {
  const { ownership, collection, definition } = dependencies;
  const path = `/api/v1/${definition.name}/:id/permission`;
  const schema = {
    tags: [definition.name],
    params: pathParameters('id'),
    querystring: RefreshQuery,
    body: PermissionBody,
  };
  return (app) => {
    app.put(
      path,
      { access: CHANGE, schema: { ...schema, summary: `Give people privileges on a ${definition.name}` } },
      async ({ actor, params, body, query }) =>
        toOutput(definition, await ownership.grant(actor, collection, params.id, body, query.refresh)),
    );
    app.delete(
      path,
      { access: CHANGE, schema: { ...schema, summary: `Take privileges on a ${definition.name} from people` } },
      async ({ actor, params, body, query }) =>
        toOutput(definition, await ownership.revoke(actor, collection, params.id, body, query.refresh)),
    );
  };
}
