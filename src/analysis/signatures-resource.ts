import type { ClassificationEngine } from '../classification/classification.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { RateLimitedLogger } from '../coordination/rate-limited-logger.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { resultDocument } from '../documents/kinds/analysis/result.ts';
import { signatureDocument } from '../documents/kinds/analysis/signature.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import type { ServiceParts } from './services/open-services.ts';
import { SignatureArchive } from './signatures/signature-archive.ts';
import { signatureRoutes } from './signatures/signature-routes.ts';
import { type SignatureChange, SignatureService } from './signatures/signature-service.ts';
import { signatureSourceRoutes } from './signatures/signature-source-routes.ts';
import { SignatureSources } from './signatures/signature-sources.ts';

/** Channel of changed signatures. */
export const SIGNATURE_EVENTS = 'analysis.signatures';

export interface SignaturesDependencies {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'events' | 'tables'>;
  readonly classification: ClassificationEngine;
  readonly services: Pick<ServiceParts, 'registry' | 'deltas'>;
  readonly log: Log;
}

export type Signatures = ReturnType<typeof openSignatures>;

/** Opens the signatures of services and their sources. */
export function openSignatures({ datastore, coordination, classification, services, log }: SignaturesDependencies) {
  const { registry, deltas } = services;
  const { events, tables } = coordination;
  const signatures = datastore.collection(signatureDocument);
  const results = datastore.collection(resultDocument);
  const failures = new RateLimitedLogger(log);
  const changed = async (change: SignatureChange) => {
    try {
      await events.publish(SIGNATURE_EVENTS, change);
    } catch (err) {
      failures.warn({ err, ...change }, 'an event could not be published');
    }
  };
  return {
    signatures: new SignatureService({ signatures, results, classification, changed }),
    archive: new SignatureArchive({ signatures, services: registry }),
    sources: new SignatureSources({ registry, deltas, signatures, classification, tables }),
  };
}

/** Returns the routes of signatures and their sources. */
export function routesOfSignatures({ signatures, archive, sources }: Signatures): readonly RouteModule[] {
  return [signatureRoutes({ signatures, archive }), signatureSourceRoutes({ sources })];
}
