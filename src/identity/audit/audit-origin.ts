import type { ServiceName } from '../actor.ts';
import type { AuditEvent } from './audit-log.ts';

/** The source of a request. */
export interface RequestOrigin {
  /** Address of the connection, or of the first hop if a trusted proxy names it. */
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
  /** Method and path, without the query. */
  readonly call?: string | undefined;
}

/** The part of an event that does not depend on its kind: who caused it, and from where. */
export type AuditOrigin = Pick<
  AuditEvent,
  'service' | 'by' | 'impersonator' | 'provider' | 'subject' | 'azp' | 'address' | 'userAgent' | 'requestId' | 'call'
>;

/** Returns the origin of a request whose caller is unknown or named by the event. */
export function originAt(
  service: ServiceName,
  { address, userAgent, requestId, call }: RequestOrigin,
): AuditOrigin & RequestOrigin {
  return { service, address, userAgent, requestId, call };
}

/** The origin of operator commands, jobs and the first start. */
export const LOCAL_ORIGIN: AuditOrigin = { service: undefined };
