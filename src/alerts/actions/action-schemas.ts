import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { actionDocument, TRIGGERS } from '../../documents/kinds/action.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import { converted, documentOf, field, refusing, text } from '../../input/input-kinds.ts';
import { idOf } from '../example-ids.ts';
import type { ExecutionRequest } from './action-execution.ts';
import { rejectRepeated } from './action-service.ts';
import { readArguments } from './operation.ts';

const EDITORS = ['admin', 'automation_basic', 'automation_advanced'] as const;
const RUNNERS = [...EDITORS, 'actionrunner_basic', 'actionrunner_advanced'] as const;
const privileges = ['E'] as const;
export const USE: RouteAccess = { privileges, roles: RUNNERS };
export const USE_AUDITED: RouteAccess = { privileges, roles: RUNNERS, audit: true };
export const EDIT: RouteAccess = { privileges, roles: EDITORS };
export const EDIT_AUDITED: RouteAccess = { privileges, roles: EDITORS, audit: true };

export const tags = ['action'];

/** Returns the error of the public system for a body that is not an object. */
export const wrongStructure = () => new InvalidInput('invalid_body', 'Incorrect data structure!');

export const ActionReply = jsonSchema(actionDocument);

export const OperationRequest = Type.Object({
  operation_id: Type.String({ minLength: 1 }),
  data_json: Type.Optional(
    field(Type.String({ description: 'Arguments of the operation, as the JSON text of an object.' })),
  ),
});
const OPERATION = { operation_id: 'add_label', data_json: '{"category":"generic","label":"vpn"}' };
const ActionMembers = {
  name: field(Type.String({ minLength: 1 })),
  query: field(Type.String({ minLength: 1, description: 'Lucene query of the alerts that it changes.' })),
  operations: field(Type.Array(OperationRequest, { minItems: 1, description: 'Each operation at most once.' })),
  triggers: Type.Optional(
    field(
      Type.Array(Type.Union(TRIGGERS.map((trigger) => Type.Literal(trigger))), {
        description: 'Events after which the action runs by itself on the alerts concerned that match its query.',
      }),
    ),
  ),
};
const NEW_ACTION = { name: 'Label VPN', query: 'source.ip:203.0.113.7', operations: [OPERATION] };
export const NewActionBody = refusing(documentOf(ActionMembers, { examples: [NEW_ACTION] }), ({ kind }) =>
  kind === 'missing' ? new InvalidInput('invalid_body', 'You must specify an action') : wrongStructure(),
);
export const ActionChangeBody = refusing(
  documentOf(
    {
      name: Type.Optional(ActionMembers.name),
      query: Type.Optional(ActionMembers.query),
      operations: Type.Optional(ActionMembers.operations),
      triggers: ActionMembers.triggers,
    },
    { examples: [{ name: 'Label VPN addresses' }] },
  ),
  wrongStructure,
);

export const ById = pathParameters({ id: idOf('action') });

const request_id = Type.String({
  minLength: 1,
  description: "The caller's own name of the run, under which its progress is told.",
  examples: ['run-1'],
});

export const SavedExecutionBody = refusing(
  Type.Object({
    request_id,
    query: Type.Optional(text({ description: 'Lucene query to run it on instead of its own.' })),
  }),
  wrongStructure,
);
export const ExecutionBody = converted(
  refusing(
    Type.Object({
      request_id,
      query: Type.String({ minLength: 1, description: 'Lucene query of the alerts.', examples: [NEW_ACTION.query] }),
      operations: Type.Array(OperationRequest, {
        description: 'Each operation at most once.',
        examples: [[OPERATION]],
      }),
    }),
    wrongStructure,
  ),
  ({ request_id: requestId, query, operations }): ExecutionRequest => {
    rejectRepeated(operations, 'You must have a maximum of one operation of each type in request.');
    for (const { operation_id: id, data_json: data } of operations) readArguments(id, data);
    return {
      requestId,
      query,
      operations: operations.map(({ operation_id, data_json: data }) => ({
        operation_id,
        data_json: typeof data === 'string' ? data : undefined,
      })),
    };
  },
);

const Outcome = Type.Object({
  query: Type.String({ description: 'Lucene query of the alerts that this is about.' }),
  outcome: Type.Union(['success', 'skipped', 'error'].map((outcome) => Type.Literal(outcome))),
  title: Type.String(),
  message: Type.String(),
});
export const ReportReply = Type.Record(Type.String(), Type.Array(Outcome), {
  description: 'What became of each operation, by its identifier. What fails is told here, with status 200.',
});

const TextsByName = Type.Record(Type.String(), Type.Array(Type.String()));
const ValidationQuery = Type.Object({ query: Type.String() });
const OperationStep = Type.Object({
  args: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Arguments, each with the earlier choices (`escalation:evidence`) that it is asked for; none: always.',
  }),
  options: Type.Record(Type.String(), Type.Union([Type.Array(Type.String()), TextsByName]), {
    description: 'Values to choose from: always the same ones, or by an earlier choice.',
  }),
  validation: Type.Optional(
    Type.Object(
      { warn: Type.Optional(ValidationQuery), error: Type.Optional(ValidationQuery) },
      { description: 'Queries, with `$argument` in them, of alerts that it would pass over or not accept.' },
    ),
  ),
});
export const OperationReply = Type.Object({
  id: Type.String(),
  title: Type.String(),
  i18nKey: Type.String({ description: 'Key of the title in the translations of clients.' }),
  priority: Type.Optional(Type.Integer({ description: 'Higher ones are offered first.' })),
  description: Type.Object({
    short: Type.String(),
    long: Type.String({ description: 'Markdown.' }),
    limit: Type.Optional(
      Type.Object(
        { basic: Type.Integer(), advanced: Type.Integer() },
        {
          description:
            'Alerts, without those of its `error` query, above which it is not run, by the role of the user.',
        },
      ),
    ),
  }),
  roles: Type.Array(Type.String(), { description: 'Any one of them lets a user run it.' }),
  steps: Type.Array(OperationStep),
  triggers: Type.Array(Type.String()),
});
