import { defineDocument } from '../schema/document-definition.ts';
import { enumeration, group, identifier, keyword } from '../schema/field-builders.ts';
import { ownershipFields } from './record-parts.ts';

/** Events that run a saved action. */
export const TRIGGERS = ['create', 'demote', 'promote', 'add_label', 'remove_label'] as const;
export type Trigger = (typeof TRIGGERS)[number];

const operation = group('Operation', 'One step of the action.', {
  operation_id: keyword('Name of the operation.'),
  data_json: keyword('Arguments of the operation, as JSON text.').optionalNotEmpty(),
});

export const actionDocument = defineDocument({
  name: 'action',
  title: 'Action',
  description: 'Operations that run on the alerts of a query.',
  idField: 'action_id',
  defaultSort: [{ field: 'name', order: 'asc' }],
  fields: {
    ...ownershipFields,
    action_id: identifier('Identifier, made at creation.'),
    name: keyword('Name that people see.'),
    query: keyword('Lucene query of the alerts that it changes.'),
    triggers: enumeration('What makes it run by itself.', TRIGGERS).list().default([]),
    operations: operation.list().default([]),
  },
});

export type Action = typeof actionDocument.Type;
