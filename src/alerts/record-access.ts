import type { RouteAccess } from '../http/route-access.ts';

const roles = ['admin', 'user'] as const;

/** Who may call what is offered for most records: people, each call of theirs audited. Which records is decided by the services. */
export const READ: RouteAccess = { privileges: ['R'], roles, audit: true };
export const CHANGE: RouteAccess = { privileges: ['R', 'W'], roles, audit: true };
export const WRITE: RouteAccess = { privileges: ['W'], roles, audit: true };
