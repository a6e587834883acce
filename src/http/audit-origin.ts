import type { FastifyRequest } from 'fastify';
import type { ServiceName } from '../identity/actor.ts';
import type { AuditOrigin, RequestOrigin } from '../identity/audit/audit-origin.ts';
import { actorOf } from './request-state.ts';

/** Who makes this request and from where, for a security event: `by` is undefined on public routes. */
export function auditOrigin(request: FastifyRequest, service: ServiceName): AuditOrigin {
  const actor = actorOf(request);
  return { service, by: actor?.username, impersonator: actor?.impersonator, ...requestOrigin(request) };
}

/** Where this request comes from. Leaves the query out, where credentials may be. */
export function requestOrigin(request: FastifyRequest): RequestOrigin {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    call: `${request.method} ${request.path}`,
  };
}
