import type { Visibility } from '../schema/collection-definition.ts';
import { keyword } from '../schema/field-builders.ts';

/** The owner of an object, and who may change it. */
export const ownershipFields = {
  owner: keyword('User name of the owner.'),
  admins: keyword('Users who may change the object and its permissions.').list().default([]),
  members: keyword('Users who may change the object.').list().default([]),
};

/**
 * Global objects and those without an owner are shown to every user, the others to the users that they
 * name.
 */
export const SHARED_OBJECT: Visibility = {
  everyone: { type: 'global', owner: 'none' },
  users: ['owner', 'admins', 'members'],
};
