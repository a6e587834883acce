import { type Static, type TSchema, Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { CASE_ITEM_TYPES, CASE_RULE_INDEXES, caseDocument } from '../../documents/kinds/case.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, textListBody, wrongBody } from '../../http/input/input-schemas.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import { converted, documentOf, field, reading, refusing } from '../../input/input-kinds.ts';
import { EXAMPLE_IDS, idOf } from '../example-ids.ts';

export const DELETE: RouteAccess = { privileges: ['W'], roles: ['admin'], audit: true };

export const tags = ['case'];

export const CaseReply = jsonSchema(caseDocument);
export const ById = pathParameters({ id: idOf('case') });
export const ByRule = pathParameters({ id: idOf('case'), rule_id: idOf('rule') });

const FIELDS_TO_UPDATE = wrongBody('Request body must be a JSON object with fields to update.');
const NO_OBJECT = wrongBody('Request body must be a JSON object.');
const filled = { minProperties: 1 };

export const NewCaseBody = refusing(
  documentOf(
    {
      title: field(Type.String()),
      summary: field(Type.String()),
      items: Type.Optional(
        field(Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'Folders come first.' })),
      ),
    },
    {
      ...filled,
      description: 'Members of a case.',
      examples: [{ title: 'Phishing in March', summary: 'Several people opened the same attachment.' }],
    },
  ),
  wrongBody('Request body must be a JSON object with case data.'),
);
export const ChangedCaseBody = refusing(
  documentOf({}, { ...filled, description: 'Members of a case.', examples: [{ escalation: 'focus' }] }),
  FIELDS_TO_UPDATE,
);
export const CaseIdsBody = textListBody('The body must be a list of case ids, at least one.', {
  minItems: 1,
  examples: [[EXAMPLE_IDS.case]],
});

/** A member that a new item needs. */
const needed = (name: string, schema: TSchema) =>
  refusing(field(schema), () => new InvalidInput('case_item_incomplete', `Field '${name}' is required`, { at: name }));

export const NewItemBody = refusing(
  documentOf(
    {
      value: needed(
        'value',
        Type.String({ description: 'Identifier of the record or case, address, or the Markdown itself.' }),
      ),
      type: needed('type', Type.Union(CASE_ITEM_TYPES.map((type) => Type.Literal(type)))),
      name: needed('name', Type.Union([Type.String(), Type.Null()], { description: 'Null: the value.' })),
      parent: Type.Optional(
        field(Type.Union([Type.String(), Type.Null()], { description: 'Identifier of the folder.' })),
      ),
      path: Type.Optional(
        field(Type.String({ description: 'Folder, such as `evidence/mail`. Without such a folder: the root.' })),
      ),
      classification: Type.Optional(field(Type.String())),
    },
    { ...filled, examples: [{ type: 'reference', value: 'https://example.org/report', name: 'Report' }] },
  ),
  NO_OBJECT,
);
const inWords = (at: string, message: string) => () => new InvalidInput('invalid_body', message, { at });
export const RemovedItemsBody = refusing(
  Type.Object(
    {
      ids: refusing(
        Type.Array(refusing(Type.String(), inWords('ids', "All items in 'ids' must be strings.")), {
          minItems: 1,
          examples: [[EXAMPLE_IDS.item]],
        }),
        inWords('ids', "'ids' must be a non-empty list."),
      ),
      force: refusing(
        Type.Boolean({ description: 'Also folders that hold something.', default: false }),
        inWords('force', "'force' must be a boolean."),
      ),
    },
    filled,
  ),
  NO_OBJECT,
);
const MoveBody = refusing(
  Type.Object(
    {
      id: refusing(Type.String({ examples: [EXAMPLE_IDS.item] }), ({ kind }) =>
        kind === 'missing'
          ? new InvalidInput('case_item_incomplete', "'id' is required.", { at: 'id' })
          : new InvalidInput('invalid_body', "'id' must be a string.", { at: 'id' }),
      ),
      name: Type.Optional(
        refusing(
          // Null is no way to leave it out.
          reading(Type.String({ pattern: '\\S', description: 'New name.', examples: ['Mail'] }), {
            accept: (name) => (name === null ? '' : name),
          }),
          inWords('name', 'new_name must be a non-empty string'),
        ),
      ),
      parent: Type.Optional(
        refusing(
          Type.Union([Type.String(), Type.Null()], { description: 'Folder to move it to; null: the root.' }),
          inWords('parent', "'parent' must be the identifier of a folder, or null."),
        ),
      ),
      value: Type.Optional(
        refusing(
          Type.String({ pattern: '\\S', description: 'New text of notes, or new address of a reference.' }),
          inWords('value', "'value' must be a non-empty string."),
        ),
      ),
    },
    filled,
  ),
  NO_OBJECT,
);
export const MovedItemBody = converted(MoveBody, ({ name, ...given }: Static<typeof MoveBody>) => {
  if (name === undefined && given.parent === undefined && given.value === undefined) {
    throw new InvalidInput('case_item_incomplete', "At least one of 'name' or 'parent' is required.");
  }
  return { ...given, ...(name === undefined ? {} : { name: name.trim() }) };
});

const query = field(Type.String({ description: 'Lucene query of the records.' }));
const destination = field(
  Type.String({ description: 'Folder path in the case, may hold expressions such as `{{howler.analytic}}`.' }),
);
const RuleMembers = {
  enabled: Type.Optional(field(Type.Boolean())),
  timeframe: Type.Optional(
    field(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'Days for which the rule works.' })),
  ),
  expire_after_resolved: Type.Optional(
    field(Type.Boolean({ description: 'The days start when the case was resolved.' })),
  ),
};
export const NewRuleBody = refusing(
  documentOf(
    {
      query,
      destination,
      ...RuleMembers,
      indexes: Type.Optional(field(Type.Array(Type.Union(CASE_RULE_INDEXES.map((index) => Type.Literal(index)))))),
    },
    { ...filled, examples: [{ query: 'howler.analytic:"Impossible Travel"', destination: 'alerts' }] },
  ),
  wrongBody('Request body must be a JSON object with rule data.'),
);
export const ChangedRuleBody = refusing(
  documentOf(
    { query: Type.Optional(query), destination: Type.Optional(destination), ...RuleMembers },
    {
      ...filled,
      examples: [{ timeframe: 14 }],
    },
  ),
  FIELDS_TO_UPDATE,
);
export const BackfillBody = refusing(
  documentOf({
    since: field(
      Type.String({
        description: 'ISO 8601: the earliest `timestamp` of the records.',
        examples: ['2025-03-01T00:00:00Z'],
      }),
    ),
  }),
  wrongBody("Request body must contain a 'since' datetime."),
);
