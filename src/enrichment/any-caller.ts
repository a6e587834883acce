import type { GuardedAccess } from '../http/route-access.ts';
import { ROLES } from '../identity/actor.ts';

/** Whoever has an account of any kind, and programs with a configured key: every route of the public service is open to them. */
export const ANY_CALLER: GuardedAccess = { privileges: ['R', 'W'], roles: ROLES };
