import type { FastifyRequest } from 'fastify';
import type { ServiceName } from '../identity/actor.ts';
import type { AuditOrigin } from '../identity/audit/audit-origin.ts';
import { actorOf } from './request-state.ts';

/** Who makes this request and from where, for a security event: `by` is undefined on public routes. */
export function auditOrigin(request: FastifyRequest, service: ServiceName): AuditOrigin {
  const actor = actorOf(request);
  return {
    service,
    by: actor?.username,
    impersonator: actor?.impersonator,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    call: callOf(request),
  };
}

/** Method and path, without the query, where credentials may be. */
export function callOf(request: FastifyRequest): string {
  return `${request.method} ${request.path}`;
}
