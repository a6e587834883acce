import { defineDocument } from '../../schema/document-definition.ts';
import { boolean, classification, date, text } from '../../schema/field-builders.ts';
import { internal, notStored } from './parts.ts';

export const submissionSummaryDocument = defineDocument({
  name: 'submission_summary',
  title: 'SubmissionSummary',
  description: 'The summary of a completed submission, as users with one clearance see it.',
  classificationField: 'classification',
  expiryField: 'expiry_ts',
  identifierInText: true,
  fields: {
    ...notStored({
      classification: classification('Who may see it.'),
      expiry_ts: date('When it is deleted.'),
    }),
    ...internal({
      filtered: boolean('Whether parts were left out because of their classification.').default(false),
      tags: text('Tags, as JSON text.'),
      attack_matrix: text('Techniques of ATT&CK, as JSON text.'),
      heuristics: text('Heuristics, as JSON text.'),
      heuristic_sections: text('Sections by heuristic, as JSON text.'),
      heuristic_name_map: text('Identifiers by the name of the heuristic, as JSON text.'),
    }),
  },
});

export type SubmissionSummary = typeof submissionSummaryDocument.Type;
