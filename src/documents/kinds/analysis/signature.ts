import { defineDocument } from '../../schema/document-definition.ts';
import { classification, date, dateNow, enumeration, integer, keyword, text } from '../../schema/field-builders.ts';
import { statistics } from './parts.ts';

export const SIGNATURE_STATUSES = ['DEPLOYED', 'NOISY', 'DISABLED', 'STAGING', 'TESTING', 'INVALID'] as const;

export const signatureDocument = defineDocument({
  name: 'signature',
  title: 'Signature',
  description: 'A rule that a service applies to files.',
  classificationField: 'classification',
  defaultSort: [{ field: 'type', order: 'asc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    classification: classification('Who may see it.'),
    data: text('Text of the rule.').copyToText().notStored(),
    last_modified: dateNow('When it was last changed.'),
    name: keyword('Name.').copyToText(),
    order: integer('Not used any more.').default(1).notStored(),
    revision: keyword('Revision of the rule.').default('1'),
    signature_id: keyword('Identifier that its source gave.').optional(),
    source: keyword('Where the rule comes from.'),
    state_change_date: date('When its status was changed.').optional().notStored(),
    state_change_user: keyword('User who changed its status.').optional().notStored(),
    stats: statistics.default({}),
    status: enumeration('Whether the rule is in use.', SIGNATURE_STATUSES).copyToText(),
    type: keyword('Service that the rule is for.').copyToText(),
  },
});

export type Signature = typeof signatureDocument.Type;
