import type { AuditEvent } from './audit-log.ts';

/** Who caused an event, and from where: the part of an event that is the same whatever happened. */
export type AuditOrigin = Pick<
  AuditEvent,
  'service' | 'by' | 'impersonator' | 'provider' | 'address' | 'userAgent' | 'requestId' | 'call'
>;

/** Of what commands of the operator, jobs and the first start do. */
export const LOCAL_ORIGIN: AuditOrigin = { service: undefined };
