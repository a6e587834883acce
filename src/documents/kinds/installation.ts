import { defineDocument } from '../schema/document-definition.ts';
import { date, keyword } from '../schema/field-builders.ts';

export const installationDocument = defineDocument(
  'installation',
  {
    fact: keyword('What the processes agree on: `classification`.'),
    digest: keyword('SHA-256 of the agreed value.'),
    value: keyword('The agreed value, as JSON.').internal(),
    changed_at: date('When it was recorded.'),
  },
  {
    title: 'InstallationRecord',
    description: 'What all processes of an installation have to agree on.',
    idField: 'fact',
    defaultSort: [{ field: 'id', order: 'asc' }],
  },
);

export type InstallationFact = typeof installationDocument.Type;
