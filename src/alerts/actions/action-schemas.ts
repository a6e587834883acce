import { jsonSchema } from '../../documents/json-schema.ts';
import { actionDocument, TRIGGERS } from '../../documents/kinds/action.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';

const EDITORS = ['admin', 'automation_basic', 'automation_advanced'] as const;
const RUNNERS = [...EDITORS, 'actionrunner_basic', 'actionrunner_advanced'] as const;
const privileges = ['E'] as const;
export const USE: RouteAccess = { privileges, roles: RUNNERS };
export const USE_AUDITED: RouteAccess = { privileges, roles: RUNNERS, audit: true };
export const EDIT: RouteAccess = { privileges, roles: EDITORS };
export const EDIT_AUDITED: RouteAccess = { privileges, roles: EDITORS, audit: true };

export const tags = ['action'];

/** What the public system answers to a body that is not an object. */
export const WRONG_BODY = 'Incorrect data structure!';

export const ActionReply = jsonSchema(actionDocument);

export const OperationRequest = Type.Object({
  operation_id: Type.String(),
  data_json: Type.Optional(Type.String({ description: 'Arguments of the operation, as the JSON text of an object.' })),
});
export const NewActionBody = Type.Object({
  name: Type.String({ minLength: 1 }),
  query: Type.String({ minLength: 1, description: 'Lucene query of the alerts that it changes.' }),
  operations: Type.Array(OperationRequest, { minItems: 1, description: 'Each operation at most once.' }),
  triggers: Type.Optional(
    Type.Array(Type.Union(TRIGGERS.map((trigger) => Type.Literal(trigger))), {
      description: 'Stored. Triggers do not run actions yet.',
    }),
  ),
});
export const ActionChangeBody = Type.Partial(NewActionBody);

export const RefreshQuery = Type.Object({
  refresh: Type.Optional(
    Type.String({ description: '`true` or `wait_for`: searches see the change once it is answered. Default `false`.' }),
  ),
});

export interface ById {
  Params: { id: string };
}
