import { keyword } from '../schema/field-builders.ts';

/** Who a shared object belongs to, and who may change it. */
export const ownershipFields = {
  owner: keyword('User name of the owner.'),
  admins: keyword('Users who may change the object and its permissions.').list().default([]),
  members: keyword('Users who may change the object.').list().default([]),
};
