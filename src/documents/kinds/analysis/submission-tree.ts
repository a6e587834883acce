import { defineDocument } from '../../schema/document-definition.ts';
import { boolean, classification, date, text } from '../../schema/field-builders.ts';
import { internal, notStored } from './parts.ts';

export const submissionTreeDocument = defineDocument({
  name: 'submission_tree',
  title: 'SubmissionTree',
  description: 'The tree of the files of a completed submission, as users with one clearance see it.',
  classificationField: 'classification',
  expiryField: 'expiry_ts',
  identifierInText: true,
  fields: {
    ...notStored({
      classification: classification('Who may see it.'),
      filtered: boolean('Whether parts were left out because of their classification.').default(false),
      expiry_ts: date('When it is deleted.'),
    }),
    ...internal({
      supplementary: text('Supplementary files, as JSON text.'),
      tree: text('The tree, as JSON text.'),
    }),
  },
});

export type SubmissionTree = typeof submissionTreeDocument.Type;
