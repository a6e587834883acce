import type { RouteAccess } from '../http/route-access.ts';

const roles = ['admin', 'user'] as const;

/** Access to routes of most records, each call audited. Services decide about single records. */
export const READ: RouteAccess = { privileges: ['R'], roles, audit: true };
export const CHANGE: RouteAccess = { privileges: ['R', 'W'], roles, audit: true };
export const WRITE: RouteAccess = { privileges: ['W'], roles, audit: true };
/** Access without a line in the audit log: the record itself keeps who changed it. */
export const WRITE_UNAUDITED: RouteAccess = { privileges: ['W'], roles };
export const READ_UNAUDITED: RouteAccess = { privileges: ['R'], roles };
