import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { ServiceMetrics } from '../../http/service-metrics.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { HitResource } from '../hits/hit-resource.ts';
import { EventRecords } from './event-records.ts';
import { HitRecords } from './hit-records.ts';
import { ingestRoutes } from './ingest-routes.ts';
import { IngestService } from './ingest-service.ts';

export interface IngestResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  classification: ClassificationEngine;
  hits: Pick<HitResource, 'service' | 'events' | 'correlation' | 'cases'>;
  metrics: ServiceMetrics;
  /** Default: the present time. */
  clock?: () => Date;
}

/** The service that takes in records, and its routes. */
export interface IngestResource {
  readonly service: IngestService;
  readonly routes: readonly RouteModule[];
}

/** Puts together what takes in records. */
export function createIngestResource(dependencies: IngestResourceDependencies): IngestResource {
  const { datastore, classification, hits, metrics } = dependencies;
  const clock = dependencies.clock ?? (() => new Date());
  const created = metrics.counter('created_events_total', 'Events stored.', []);
  const service = new IngestService({
    hit: new HitRecords({
      service: hits.service,
      hits: classifiedCollection(datastore.collection(hitDocument), hitDocument, classification),
      events: hits.events,
      classification,
    }),
    event: new EventRecords({
      events: classifiedCollection(datastore.collection(eventDocument), eventDocument, classification),
      correlation: hits.correlation,
      cases: hits.cases,
      classification,
      counters: { created: (count) => created.inc(count) },
      clock,
    }),
  });
  return { service, routes: [ingestRoutes({ ingest: service })] };
}
