import { unrestricted } from '../datastore/port/read-access.ts';
import { type Actor, PRIVILEGES, ROLES } from '../identity/actor.ts';

/** Returns the caller for an action in the demo. */
export function demoActor(username: string): Actor {
  const access = unrestricted('the demo is written before the program serves requests');
  return {
    username,
    name: username,
    email: undefined,
    roles: new Set(ROLES),
    privileges: new Set(PRIVILEGES),
    hasFullScope: true,
    isAdmin: true,
    groups: [],
    classification: '',
    searchAccess: access,
    readAccess: access,
    method: 'session',
    keyName: undefined,
    impersonator: undefined,
    quota: 1,
  };
}
