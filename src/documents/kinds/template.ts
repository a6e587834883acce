import { defineDocument } from '../schema/document-definition.ts';
import { enumeration, identifier, keyword } from '../schema/field-builders.ts';

export const templateDocument = defineDocument({
  name: 'template',
  title: 'Template',
  description: 'Which fields of an analytic’s alerts are shown first.',
  idField: 'template_id',
  defaultSort: [{ field: 'template_id', order: 'asc' }],
  visibleTo: { everyone: { type: 'global' }, users: ['owner'] },
  fields: {
    template_id: identifier('Identifier, made at creation.'),
    analytic: keyword('Analytic whose alerts it is for.'),
    detection: keyword('Detection that it is for; absent: all.').optionalNotEmpty(),
    type: enumeration('Who uses it.', ['personal', 'global']),
    owner: keyword('User name of the owner of a personal template.').optionalNotEmpty(),
    keys: keyword('Paths of the fields to show, in order.').list().default([]),
  },
});

export type Template = typeof templateDocument.Type;
