import type { FastifyRequest } from 'fastify';
import { requestOrigin } from '../http/audit-origin.ts';
import type { ServiceGuard } from '../http/guard.ts';
import { credentialHeader, singleHeader } from '../http/input/single-header.ts';
import { checkPrivilegedAccess } from '../http/privileged-access.ts';
import type { EnrichmentIdentity, EnrichmentRequest } from '../identity/enrichment-identity.ts';

/** Callers of the enrichment service: `Authorization`, and for configured keys the headers that name the user (contract/enrichment.md section 1.3). */
export function enrichmentGuard(identity: Pick<EnrichmentIdentity, 'identify'>): ServiceGuard {
  return {
    identify: async (request) => identity.identify(presented(request)),
    authorise: (actor, access, request) => checkPrivilegedAccess(access, actor, request.path),
  };
}

function presented(request: FastifyRequest): EnrichmentRequest {
  return {
    authorization: credentialHeader(request, 'authorization'),
    userId: singleHeader(request, 'x-userid'),
    classification: singleHeader(request, 'x-classification'),
    name: singleHeader(request, 'x-username'),
    email: singleHeader(request, 'x-email'),
    ...requestOrigin(request),
  };
}
