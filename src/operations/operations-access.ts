import type { GuardedAccess } from '../http/route-access.ts';

/** Administrators, with any credential that may read. */
export const READ: GuardedAccess = { privileges: ['R'], roles: ['admin'] };
/** Administrators, with a credential that may change accounts and settings. */
export const CHANGE: GuardedAccess = { privileges: ['E'], roles: ['admin'], audit: true };
/** Administrators, with all rights of their account: the route gives out or takes away rights. */
export const CHANGE_RIGHTS: GuardedAccess = { ...CHANGE, fullScope: true };
