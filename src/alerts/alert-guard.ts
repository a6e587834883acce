import type { FastifyRequest } from 'fastify';
import { Forbidden } from '../errors/errors.ts';
import { callOf } from '../http/audit-origin.ts';
import { holdsAny, type ServiceGuard } from '../http/guard.ts';
import type { GuardedAccess } from '../http/route-access.ts';
import type { Actor } from '../identity/actor.ts';
import type { Identity, PresentedCredentials } from '../identity/identity.ts';

/** Callers of the alert service: `Authorization` and `X-Impersonating`; privilege, then role (contract/alert.md section 2). */
export function alertGuard(identity: Pick<Identity, 'authenticate'>): ServiceGuard {
  return {
    identify: (request, access) => identity.authenticate(presentedCredentials(request, access.allowInactive === true)),
    authorise: (actor, access, request) => checkAccess(access, actor, request.path),
  };
}

function presentedCredentials(request: FastifyRequest, allowInactive: boolean): PresentedCredentials {
  const headers = request.headers;
  const impersonating = headers['x-impersonating'];
  return {
    authorization: headers.authorization,
    impersonating: Array.isArray(impersonating) ? impersonating[0] : impersonating,
    address: request.ip,
    userAgent: headers['user-agent'],
    requestId: request.id,
    call: callOf(request),
    allowInactive,
  };
}

/**
 * Privilege, then role: any of each is enough.
 * @throws Forbidden `missing_privilege`, `missing_role`
 */
function checkAccess({ privileges, roles }: GuardedAccess, actor: Actor, path: string): void {
  // Keys of this service carry privileges, so a route that leaves them out is closed to everybody.
  if (privileges === 'by_roles' || !holdsAny(privileges, actor.privileges)) {
    throw new Forbidden('missing_privilege', 'You do not have access to this API.');
  }
  if (roles !== 'any' && !holdsAny(roles, actor.roles)) {
    throw new Forbidden('missing_role', `${path} requires one of the following user types: ${roles.join(', ')}`);
  }
}
