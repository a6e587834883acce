import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { actionDocument, TRIGGERS } from '../../documents/kinds/action.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import { documentOf, field, refusing } from '../../input/input-kinds.ts';

const EDITORS = ['admin', 'automation_basic', 'automation_advanced'] as const;
const RUNNERS = [...EDITORS, 'actionrunner_basic', 'actionrunner_advanced'] as const;
const privileges = ['E'] as const;
export const USE: RouteAccess = { privileges, roles: RUNNERS };
export const USE_AUDITED: RouteAccess = { privileges, roles: RUNNERS, audit: true };
export const EDIT: RouteAccess = { privileges, roles: EDITORS };
export const EDIT_AUDITED: RouteAccess = { privileges, roles: EDITORS, audit: true };

export const tags = ['action'];

/** What the public system answers to a body that is not an object. */
export const wrongStructure = () => new InvalidInput('invalid_body', 'Incorrect data structure!');

export const ActionReply = jsonSchema(actionDocument);

export const OperationRequest = Type.Object({
  operation_id: Type.String({ minLength: 1 }),
  data_json: Type.Optional(
    field(Type.String({ description: 'Arguments of the operation, as the JSON text of an object.' })),
  ),
});
const ActionMembers = {
  name: field(Type.String({ minLength: 1 })),
  query: field(Type.String({ minLength: 1, description: 'Lucene query of the alerts that it changes.' })),
  operations: field(Type.Array(OperationRequest, { minItems: 1, description: 'Each operation at most once.' })),
  triggers: Type.Optional(
    field(
      Type.Array(Type.Union(TRIGGERS.map((trigger) => Type.Literal(trigger))), {
        description: 'Stored. Triggers do not run actions yet.',
      }),
    ),
  ),
};
export const NewActionBody = refusing(documentOf(ActionMembers), ({ kind }) =>
  kind === 'missing' ? new InvalidInput('invalid_body', 'You must specify an action') : wrongStructure(),
);
export const ActionChangeBody = refusing(
  documentOf({
    name: Type.Optional(ActionMembers.name),
    query: Type.Optional(ActionMembers.query),
    operations: Type.Optional(ActionMembers.operations),
    triggers: ActionMembers.triggers,
  }),
  wrongStructure,
);

export const ById = pathParameters('id');
