import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { heuristicDocument } from '../../documents/kinds/analysis/heuristic.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { serviceDeltaDocument } from '../../documents/kinds/analysis/service-delta.ts';
import type { Log } from '../../http/request-log.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import { ServiceRegistry } from './service-registry.ts';

export interface ServicesDependencies {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'events'>;
  readonly classification: ClassificationEngine;
  readonly settings: Pick<Settings, 'analysis'>;
  readonly log: Log;
}

export type ServiceParts = ReturnType<typeof openServices>;

/** Opens the services of the installation and their heuristics. */
export function openServices({ datastore, coordination, classification, settings, log }: ServicesDependencies) {
  const services = classifiedCollection(datastore.collection(serviceDocument), serviceDocument, classification);
  const heuristics = classifiedCollection(datastore.collection(heuristicDocument), heuristicDocument, classification);
  const deltas = datastore.collection(serviceDeltaDocument);
  const results = datastore.collection(resultDocument);
  const registry = new ServiceRegistry({
    services,
    deltas,
    heuristics,
    results,
    events: coordination.events,
    classification,
    defaults: settings.analysis.services,
    log,
  });
  return { registry, services, deltas, heuristics };
}
