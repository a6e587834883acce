import { defineDocument } from '../../schema/document-definition.ts';
import { date, float, integer, keyword } from '../../schema/field-builders.ts';
import { internal } from './parts.ts';

export const filescoreDocument = defineDocument({
  name: 'filescore',
  title: 'FileScore',
  description: 'The outcome of an earlier submission of the same file with the same parameters.',
  expiryField: 'expiry_ts',
  identifierInText: true,
  fields: {
    expiry_ts: date('When it is deleted.').notStored(),
    ...internal({
      psid: keyword('Submission that the earlier one continued.').optional(),
      score: integer('Highest score of the submission.'),
      errors: integer('Number of errors of the submission.'),
      sid: keyword('Identifier of the submission.'),
      time: float('When it was written, in seconds since 1970.'),
    }),
  },
});

export type FileScore = typeof filescoreDocument.Type;
