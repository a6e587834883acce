import type { ServiceName } from '../actor.ts';
import type { AuditEvent } from './audit-log.ts';

/** Where a request comes from. */
export interface RequestOrigin {
  /** Of the connection, or of the first hop when a trusted proxy says so. */
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
  /** Method and path, without the query. */
  readonly call?: string | undefined;
}

/** Who caused an event, and from where: the part of an event that is the same whatever happened. */
export type AuditOrigin = Pick<
  AuditEvent,
  'service' | 'by' | 'impersonator' | 'provider' | 'subject' | 'azp' | 'address' | 'userAgent' | 'requestId' | 'call'
>;

/** Of a request whose caller is not known, or told by the event itself. */
export function originAt(
  service: ServiceName,
  { address, userAgent, requestId, call }: RequestOrigin,
): AuditOrigin & RequestOrigin {
  return { service, address, userAgent, requestId, call };
}

/** Of what commands of the operator, jobs and the first start do. */
export const LOCAL_ORIGIN: AuditOrigin = { service: undefined };
