import { defineDocument } from '../../schema/document-definition.ts';
import { date } from '../../schema/field-builders.ts';

/** A result without anything in it: its key alone is kept. */
export const emptyResultDocument = defineDocument({
  name: 'emptyresult',
  title: 'EmptyResult',
  description: 'A result of a service that found nothing.',
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'expiry_ts', order: 'asc' }],
  identifierInText: true,
  fields: { expiry_ts: date('When it is deleted; never, when absent.').notStored() },
});

export type EmptyResult = typeof emptyResultDocument.Type;
