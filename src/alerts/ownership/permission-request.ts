import { defineDocument } from '../../documents/schema/document-definition.ts';
import { enumeration, keyword } from '../../documents/schema/field-builders.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';

/** One line of a request to change who may do what with an object. Never stored. */
const permissionRequestDocument = defineDocument(
  'permissionrequest',
  {
    privilege: enumeration('What is granted or revoked.', ['owner', 'admins', 'members']),
    user_id: keyword('User name of the person.'),
  },
  { title: 'PermissionRequest', description: 'A privilege of a person on an object.', defaultSort: [] },
);

export type PermissionRequest = typeof permissionRequestDocument.Type;

/**
 * Reads the body of a permission request.
 * @throws InvalidInput `invalid_permission_request`, `invalid_document` with the path
 */
export function readPermissionRequests(body: unknown): readonly PermissionRequest[] {
  const refuse = (message: string) => new InvalidInput('invalid_permission_request', message);
  if (!Array.isArray(body)) throw refuse('Request body must be a JSON array.');
  if (body.length === 0) throw refuse('Request body must contain at least one permission.');
  const requests = body.map(
    (entry: unknown) => readDocument(permissionRequestDocument, entry, { unknown: 'refuse' }).document,
  );
  if (new Set(requests.map((request) => request.user_id)).size !== requests.length) {
    throw refuse('Each user can only be included once per request.');
  }
  return requests;
}
