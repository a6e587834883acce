import { defineDocument } from '../../schema/document-definition.ts';
import { date, keyword } from '../../schema/field-builders.ts';

export const cachedFileDocument = defineDocument({
  name: 'cached_file',
  title: 'CachedFile',
  description: 'A file that a part of the program keeps for a while.',
  expiryField: 'expiry_ts',
  identifierInText: true,
  fields: {
    component: keyword('Part of the program that keeps the file.'),
    expiry_ts: date('When it is deleted.').notStored(),
  },
});

export type CachedFile = typeof cachedFileDocument.Type;
