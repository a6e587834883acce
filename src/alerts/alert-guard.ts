import type { FastifyRequest } from 'fastify';
import { requestOrigin } from '../http/audit-origin.ts';
import type { ServiceGuard } from '../http/guard.ts';
import { credentialHeader } from '../http/input/single-header.ts';
import { checkPrivilegedAccess } from '../http/privileged-access.ts';
import type { AlertIdentity, PresentedCredentials } from '../identity/alert-identity.ts';

/** Callers of the alert service: `Authorization` and `X-Impersonating`; privilege, then role (contract/alert.md section 2). */
export function alertGuard(identity: Pick<AlertIdentity, 'authenticate'>): ServiceGuard {
  return {
    identify: (request, access) => identity.authenticate(presentedCredentials(request, access.allowInactive === true)),
    authorise: (actor, access, request) => checkPrivilegedAccess(access, actor, request.path),
  };
}

function presentedCredentials(request: FastifyRequest, allowInactive: boolean): PresentedCredentials {
  return {
    authorization: credentialHeader(request, 'authorization'),
    impersonating: credentialHeader(request, 'x-impersonating'),
    ...requestOrigin(request),
    allowInactive,
  };
}
