import { defineDocument } from '../schema/document-definition.ts';
import { identifier, keyword } from '../schema/field-builders.ts';

export const overviewDocument = defineDocument({
  name: 'overview',
  title: 'Overview',
  description: 'How the alerts of an analytic are summed up in prose.',
  idField: 'overview_id',
  defaultSort: [{ field: 'overview_id', order: 'asc' }],
  fields: {
    overview_id: identifier('Identifier, made at creation.'),
    analytic: keyword('Analytic whose alerts it is for.'),
    detection: keyword('Detection that it is for; absent: all.').optionalNotEmpty(),
    owner: keyword('User name of the owner.').optionalNotEmpty(),
    content: keyword('Markdown with Handlebars expressions over the alert.'),
  },
});

export type Overview = typeof overviewDocument.Type;
