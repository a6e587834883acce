import { defineDocument } from '../schema/document-definition.ts';
import { date, keyword } from '../schema/field-builders.ts';

export const installationDocument = defineDocument({
  name: 'installation',
  title: 'InstallationRecord',
  description: 'What all processes of an installation have to agree on.',
  idField: 'fact',
  fields: {
    fact: keyword('What the processes agree on, such as `classification` or `analysis.tag_safelist`.'),
    digest: keyword('SHA-256 of the agreed value.'),
    value: keyword('The agreed value, as JSON.').internal(),
    changed_at: date('When it was recorded.'),
  },
});

export type InstallationFact = typeof installationDocument.Type;
