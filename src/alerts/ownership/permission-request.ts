import { Type } from 'typebox';
import { defineDocument } from '../../documents/schema/document-definition.ts';
import { enumeration, keyword } from '../../documents/schema/field-builders.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { converted, field, refusing } from '../../input/input-kinds.ts';

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

const refusal = (message: string) => new InvalidInput('invalid_permission_request', message);

/** Body of a permission request: each person once. */
export const PermissionBody = converted(
  refusing(
    Type.Array(
      field(
        Type.Object({
          privilege: Type.Union([Type.Literal('owner'), Type.Literal('admins'), Type.Literal('members')]),
          user_id: Type.String(),
        }),
      ),
      { minItems: 1 },
    ),
    ({ value }) =>
      refusal(
        Array.isArray(value)
          ? 'Request body must contain at least one permission.'
          : 'Request body must be a JSON array.',
      ),
  ),
  readRequests,
);

/** @throws InvalidInput `invalid_permission_request`, `invalid_document` with the path */
function readRequests(entries: readonly unknown[]): readonly PermissionRequest[] {
  const requests = entries.map(
    (entry) => readDocument(permissionRequestDocument, entry, { unknown: 'refuse' }).document,
  );
  if (new Set(requests.map((request) => request.user_id)).size !== requests.length) {
    throw refusal('Each user can only be included once per request.');
  }
  return requests;
}
