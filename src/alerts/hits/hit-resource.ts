import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { type Event, eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import type { Log } from '../../http/request-log.ts';
import type { ServiceMetrics } from '../../http/service-metrics.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import { AnalyticUpsert } from '../analytics/analytic-upsert.ts';
import { CaseRecords } from '../cases/case-records.ts';
import { CASES_CHANNEL, CaseStore } from '../cases/case-store.ts';
import { eventPublisher } from '../event-publisher.ts';
import type { HitMetadata } from '../metadata/hit-metadata.ts';
import type { CorrelationQueue } from '../workers/correlation-queue.ts';
import type { TriggerQueue } from '../workers/trigger-queue.ts';
import { hitBundleRoutes } from './bundles/hit-bundle-routes.ts';
import { HitBundles } from './bundles/hit-bundles.ts';
import { hitCommentRoutes } from './comments/hit-comment-routes.ts';
import { HitComments } from './comments/hit-comments.ts';
import { hitImport } from './hit-import.ts';
import { hitRoutes } from './hit-routes.ts';
import { HitService } from './hit-service.ts';
import { HITS_CHANNEL, type HitChanged, HitStore } from './hit-store.ts';
import { readNewEvent, readNewHit } from './new-record.ts';
import { RecordService } from './record-service.ts';
import { toolRoutes } from './tools/tool-routes.ts';
import { ToolService } from './tools/tool-service.ts';
import { hitTriageRoutes } from './triage/hit-triage-routes.ts';

export interface HitResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  coordination: Pick<Coordination, 'events'>;
  triggers: Pick<TriggerQueue, 'fire'>;
  correlation: Pick<CorrelationQueue, 'schedule'>;
  classification: ClassificationEngine;
  metadata: HitMetadata;
  metrics: ServiceMetrics;
  log: Log;
}

/** Services of alerts and events, for other features and the command line, and the routes of alerts. */
export type HitResource = ReturnType<typeof createHitResource>;

/** Composes the services of alerts. All writes go through collections that set the access fields. */
export function createHitResource(dependencies: HitResourceDependencies) {
  const { datastore, coordination, triggers, correlation, classification, metadata, metrics, log } = dependencies;
  const hits = classifiedCollection(datastore.collection(hitDocument), hitDocument, classification);
  const events = classifiedCollection(datastore.collection(eventDocument), eventDocument, classification);
  // Metrics have no labels from records, which may be above everyone who reads metrics.
  const counter = (name: string, help: string) => metrics.counter(name, help, []);
  const deleted = counter('deleted_hits_total', 'Alerts deleted.');
  const changed = eventPublisher<HitChanged>(coordination.events, log, HITS_CHANNEL);
  const store = new HitStore({ hits, changed, triggers });
  const cases = new CaseStore({
    cases: classifiedCollection(datastore.collection(caseDocument), caseDocument, classification),
    records: new CaseRecords({ hit: hits, event: events }),
    counter: counter('created_cases_total', 'Cases stored.'),
    changed: eventPublisher(coordination.events, log, CASES_CHANNEL),
    classification,
  });
  const service = new HitService({
    definition: hitDocument,
    records: hits,
    readNew: readNewHit,
    store,
    analytics: new AnalyticUpsert({ analytics: datastore.collection(analyticDocument), log }),
    triggers,
    cases,
    correlation,
    classification,
    counters: {
      created: counter('created_hits_total', 'Alerts stored.'),
      deleted,
    },
    changed,
  });
  const eventService = new RecordService<Event>({
    definition: eventDocument,
    records: events,
    readNew: readNewEvent,
    cases,
    correlation,
    classification,
    counters: { created: counter('created_events_total', 'Events stored.') },
  });
  const comments = new HitComments({ store });
  const bundles = new HitBundles({ service, cases });
  const tools = new ToolService({ service, bundles, hits });
  const routes = [
    hitRoutes({ service, store, metadata }),
    hitTriageRoutes({ store }),
    hitCommentRoutes({ comments }),
    hitBundleRoutes({ bundles }),
    toolRoutes({ tools }),
  ];
  return {
    service,
    eventService,
    store,
    comments,
    bundles,
    tools,
    importLines: hitImport(service),
    cases,
    deleted,
    routes,
  };
}
