import { Type } from 'typebox';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { converted, field, refusing, withExample } from '../../input/input-kinds.ts';
import { type ExampleKind, idOf } from '../example-ids.ts';
import { CHANGE } from '../record-access.ts';
import { type Owned, type OwnershipService, PRIVILEGES, readPermissionRequests } from './ownership-service.ts';
import type { SavedObjects } from './saved-objects.ts';

const privilege = Type.Union(PRIVILEGES.map((name) => Type.Literal(name)));
const Permissions = Type.Array(field(Type.Object({ privilege, user_id: Type.String() })), {
  minItems: 1,
  examples: [[{ privilege: 'members', user_id: 'huey' }]],
});
export const PermissionBody = converted(
  refusing(Permissions, ({ value }) => {
    const needed = Array.isArray(value) ? 'contain at least one permission' : 'be a JSON array';
    return new InvalidInput('invalid_permission_request', `Request body must ${needed}.`);
  }),
  readPermissionRequests,
);

const RevokedBody = withExample(PermissionBody, [{ privilege: 'admins', user_id: 'huey' }]);

/** Registers `PUT` and `DELETE /api/v1/<kind>/<id>/permission` for a kind of object with an owner. */
export function permissionRoutes<T extends Owned>(
  ownership: OwnershipService,
  { collection, kind: { definition } }: SavedObjects<T>,
): RouteModule {
  const { name } = definition;
  const path = `/api/v1/${name}/:id/permission`;
  const params = pathParameters({ id: idOf(name as ExampleKind) });
  const schema = { tags: [name], params, querystring: RefreshQuery, body: PermissionBody };
  return (app) => {
    app.put(
      path,
      { access: CHANGE, schema: { ...schema, summary: `Give people privileges on a ${name}` } },
      async ({ actor, params, body, query }) =>
        toOutput(definition, await ownership.grant(actor, collection, params.id, body, query.refresh)),
    );
    app.delete(
      path,
      {
        access: CHANGE,
        schema: { ...schema, summary: `Take privileges on a ${name} from people`, body: RevokedBody },
      },
      async ({ actor, params, body, query }) =>
        toOutput(definition, await ownership.revoke(actor, collection, params.id, body, query.refresh)),
    );
  };
}
