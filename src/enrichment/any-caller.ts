import type { GuardedAccess } from '../http/route-access.ts';
import { ROLES } from '../identity/actor.ts';

/** Open to every user and every program with a configured key, like all routes of the public service. */
export const ANY_CALLER: GuardedAccess = { privileges: ['R', 'W'], roles: ROLES };
