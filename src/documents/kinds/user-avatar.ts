import { defineDocument } from '../schema/document-definition.ts';
import { keyword } from '../schema/field-builders.ts';

/** The picture of a user, under the user's name. */
export const userAvatarDocument = defineDocument(
  'user_avatar',
  { __non_doc_raw__: keyword('The picture, as a data URI.').notIndexed().notStored() },
  { title: 'UserAvatar', description: 'The picture of a user.', defaultSort: [{ field: 'id', order: 'asc' }] },
);

export type UserAvatar = typeof userAvatarDocument.Type;
