import { Type } from 'typebox';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { converted, field, refusing } from '../../input/input-kinds.ts';
import { CHANGE } from '../record-access.ts';
import { type Owned, type OwnershipService, PRIVILEGES, readPermissionRequests } from './ownership-service.ts';
import type { SavedObjects } from './saved-objects.ts';

export const PermissionBody = converted(
  refusing(
    Type.Array(
      field(
        Type.Object({
          privilege: Type.Union(PRIVILEGES.map((privilege) => Type.Literal(privilege))),
          user_id: Type.String(),
        }),
      ),
      { minItems: 1 },
    ),
    ({ value }) =>
      new InvalidInput(
        'invalid_permission_request',
        Array.isArray(value)
          ? 'Request body must contain at least one permission.'
          : 'Request body must be a JSON array.',
      ),
  ),
  readPermissionRequests,
);

/** Registers `PUT` and `DELETE /api/v1/<kind>/<id>/permission` for a kind of object with an owner. */
export function permissionRoutes<T extends Owned>(
  ownership: OwnershipService,
  { collection, kind: { definition } }: SavedObjects<T>,
): RouteModule {
  const { name } = definition;
  const path = `/api/v1/${name}/:id/permission`;
  const schema = { tags: [name], params: pathParameters('id'), querystring: RefreshQuery, body: PermissionBody };
  return (app) => {
    app.put(
      path,
      { access: CHANGE, schema: { ...schema, summary: `Give people privileges on a ${name}` } },
      async ({ actor, params, body, query }) =>
        toOutput(definition, await ownership.grant(actor, collection, params.id, body, query.refresh)),
    );
    app.delete(
      path,
      { access: CHANGE, schema: { ...schema, summary: `Take privileges on a ${name} from people` } },
      async ({ actor, params, body, query }) =>
        toOutput(definition, await ownership.revoke(actor, collection, params.id, body, query.refresh)),
    );
  };
}
