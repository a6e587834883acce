import { jsonSchema } from '../../documents/json-schema.ts';
import { CASE_ITEM_TYPES, CASE_RULE_INDEXES, caseDocument } from '../../documents/kinds/case.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';

export const DELETE: RouteAccess = { privileges: ['W'], roles: ['admin'], audit: true };

export const tags = ['case'];

export const CaseReply = jsonSchema(caseDocument);
export const RefreshQuery = Type.Object({
  refresh: Type.Optional(
    Type.String({ description: '`true` or `wait_for`: searches see the change once it is answered. Default `false`.' }),
  ),
});

const Fields = { description: 'Members of a case.' };
export const NewCaseBody = Type.Intersect([
  Type.Object({
    title: Type.String(),
    summary: Type.String(),
    items: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'Folders come first.' }),
    ),
  }),
  Type.Record(Type.String(), Type.Unknown(), Fields),
]);
export const ChangedCaseBody = Type.Record(Type.String(), Type.Unknown(), Fields);
export const CaseIdsBody = Type.Array(Type.String(), { minItems: 1 });

export const NewItemBody = Type.Object({
  type: Type.Union(CASE_ITEM_TYPES.map((type) => Type.Literal(type))),
  value: Type.String({ description: 'Identifier of the record or case, address, or the Markdown itself.' }),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Null: the value.' }),
  parent: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'Identifier of the folder.' })),
  path: Type.Optional(
    Type.String({ description: 'Folder, such as `evidence/mail`. Without such a folder: the root.' }),
  ),
  classification: Type.Optional(Type.String()),
});
export const RemovedItemsBody = Type.Object({
  ids: Type.Array(Type.String(), { minItems: 1 }),
  force: Type.Optional(Type.Boolean({ description: 'Also folders that hold something. Default false.' })),
});
export const MovedItemBody = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String({ description: 'New name.' })),
  parent: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Folder to move it to; null: the root.' }),
  ),
});

const RuleMembers = {
  query: Type.String({ description: 'Lucene query of the records.' }),
  destination: Type.String({
    description: 'Folder path in the case, may hold expressions such as `{{howler.analytic}}`.',
  }),
  enabled: Type.Optional(Type.Boolean()),
  timeframe: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'Days for which the rule works.' }),
  ),
  expire_after_resolved: Type.Optional(Type.Boolean({ description: 'The days start when the case was resolved.' })),
};
export const NewRuleBody = Type.Object({
  ...RuleMembers,
  indexes: Type.Optional(Type.Array(Type.Union(CASE_RULE_INDEXES.map((index) => Type.Literal(index))))),
});
export const ChangedRuleBody = Type.Partial(Type.Object(RuleMembers));
export const BackfillBody = Type.Object({
  since: Type.String({ description: 'ISO 8601: the earliest `timestamp` of the records.' }),
});
