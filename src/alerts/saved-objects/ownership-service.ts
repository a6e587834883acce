import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { defineDocument } from '../../documents/schema/document-definition.ts';
import { enumeration, keyword } from '../../documents/schema/field-builders.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { UserStore } from '../../identity/user-store.ts';

/** An object with an owner: a view, dossier or action. */
export interface Owned {
  readonly owner: string;
  /** Users who may change the object and its permissions. */
  readonly admins: string[];
  /** Users who may use the object. */
  readonly members: string[];
}

export const PRIVILEGES = ['owner', 'admins', 'members'] as const;

/** One line of a request to change who may do what with an object. Never stored. */
const permissionRequestDocument = defineDocument({
  name: 'permissionrequest',
  title: 'PermissionRequest',
  description: 'A privilege of a person on an object.',
  defaultSort: [],
  fields: {
    privilege: enumeration('What is granted or revoked.', PRIVILEGES),
    user_id: keyword('User name of the person.'),
  },
});

export type PermissionRequest = typeof permissionRequestDocument.Type;

/** Reads requests, each for another user; throws `invalid_permission_request`, `invalid_document`. */
export function readPermissionRequests(entries: readonly unknown[]): readonly PermissionRequest[] {
  const read = (entry: unknown) => readDocument(permissionRequestDocument, entry, { unknown: 'refuse' }).document;
  const requests = entries.map(read);
  if (new Set(requests.map((request) => request.user_id)).size === requests.length) return requests;
  throw new InvalidInput('invalid_permission_request', 'Each user can only be included once per request.');
}

/**
 * Changes who may do what with an object (contract/alert.md section 6.1a).
 * All requests of a call are checked before any is applied, in one save. Throws `object_missing` (a 400, as clients know
 * it), `version_conflict`; `ownership_denied` unless the actor is an administrator, the owner, or (not for ownership
 * itself) one of the object's admins.
 */
export class OwnershipService {
  readonly #users: Pick<UserStore, 'get'>;

  constructor({ users }: { users: Pick<UserStore, 'get'> }) {
    this.#users = users;
  }

  /**
   * Grants privileges; admins and members exclude each other.
   * A new owner leaves both lists, the old owner gets nothing.
   * @throws InvalidInput `too_many_owners`, `user_missing`, `permission_held`
   */
  async grant<T extends Owned>(
    actor: Actor,
    collection: Collection<T>,
    id: string,
    requests: readonly PermissionRequest[],
    visible: Visible,
  ): Promise<T> {
    return this.#change(collection, id, visible, async (object) => {
      if (requests.filter((request) => request.privilege === 'owner').length > 1) {
        throw new InvalidInput('too_many_owners', 'Only one owner can be set per request.');
      }
      for (const { privilege, user_id: username } of requests) {
        rejectUnlessAllowed(actor, object, privilege);
        if (!(await this.#users.get(username))) {
          throw new InvalidInput('user_missing', `User ${username} does not exist`);
        }
        if (privilege !== 'owner' && object[privilege].includes(username)) {
          throw new InvalidInput('permission_held', `User ${username} already has permission ${privilege}`);
        }
      }
      return requests.reduce(granted, object);
    });
  }

  /** Revokes. @throws InvalidInput `owner_not_removable`, `permission_not_held` */
  async revoke<T extends Owned>(
    actor: Actor,
    collection: Collection<T>,
    id: string,
    requests: readonly PermissionRequest[],
    visible: Visible,
  ): Promise<T> {
    return this.#change(collection, id, visible, (object) => {
      for (const { privilege, user_id: username } of requests) {
        rejectUnlessAllowed(actor, object, privilege);
        if (privilege === 'owner') {
          const message = 'You cannot remove the owner privilege. Only transfer is allowed.';
          throw new InvalidInput('owner_not_removable', message);
        }
        if (!object[privilege].includes(username)) {
          const message = `The user '${username}' does not have the '${privilege}' privilege.`;
          throw new InvalidInput('permission_not_held', message);
        }
      }
      return requests.reduce(revoked, object);
    });
  }

  async #change<T extends Owned>(
    collection: Collection<T>,
    id: string,
    visible: Visible,
    change: (object: T) => T | Promise<T>,
  ): Promise<T> {
    const access = unrestricted('objects with owners carry no classification');
    const changed = await changeDocument(collection, id, change, { access, visible });
    if (changed) return changed.document;
    const { name } = collection.definition;
    throw new InvalidInput('object_missing', `${name.charAt(0).toUpperCase()}${name.slice(1)} ${id} does not exist`);
  }
}

/** Returns whether the actor may change the object: administrators, its owner, its admins. */
export function mayChange(actor: Actor, object: Owned): boolean {
  return actor.isAdmin || object.owner === actor.username || object.admins.includes(actor.username);
}

function rejectUnlessAllowed(actor: Actor, object: Owned, privilege: PermissionRequest['privilege']): void {
  const allowed = privilege === 'owner' ? actor.isAdmin || object.owner === actor.username : mayChange(actor, object);
  if (!allowed) {
    throw new Forbidden('ownership_denied', 'The user requesting the change is not allowed to make the change.');
  }
}

function granted<T extends Owned>(object: T, { privilege, user_id: username }: PermissionRequest): T {
  const admins = without(object.admins, username);
  const members = without(object.members, username);
  if (privilege === 'owner') return { ...object, owner: username, admins, members };
  if (privilege === 'admins') return { ...object, admins: [...admins, username], members };
  return { ...object, admins, members: [...members, username] };
}

function revoked<T extends Owned>(object: T, { privilege, user_id: username }: PermissionRequest): T {
  if (privilege === 'owner') return object;
  return { ...object, [privilege]: without(object[privilege], username) };
}

function without(usernames: readonly string[], username: string): string[] {
  return usernames.filter((other) => other !== username);
}
