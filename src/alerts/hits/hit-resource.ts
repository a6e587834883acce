import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import type { Log } from '../../http/request-log.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { ServiceMetrics } from '../../http/service-metrics.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import { AnalyticUpsert } from '../analytics/analytic-upsert.ts';
import { CaseEventPublisher } from '../cases/case-events.ts';
import { CaseRecords } from '../cases/case-records.ts';
import { CaseStore } from '../cases/case-store.ts';
import { CorrelationScheduler } from '../cases/correlation-scheduler.ts';
import type { HitMetadata } from '../metadata/hit-metadata.ts';
import { hitBundleRoutes } from './bundles/hit-bundle-routes.ts';
import { HitBundles } from './bundles/hit-bundles.ts';
import { hitCommentRoutes } from './comments/hit-comment-routes.ts';
import { HitComments } from './comments/hit-comments.ts';
import { HitEventPublisher, type HitEvents } from './hit-events.ts';
import { hitRoutes } from './hit-routes.ts';
import { HitService } from './hit-service.ts';
import { HitStore } from './hit-store.ts';
import { HitImport } from './ingest/hit-import.ts';
import { hitLabelRoutes } from './labels/hit-label-routes.ts';
import { HitLabels } from './labels/hit-labels.ts';
import { toolRoutes } from './tools/tool-routes.ts';
import { ToolService } from './tools/tool-service.ts';
import { hitTransitionRoutes } from './triage/hit-transition-routes.ts';
import { HitTriage } from './triage/hit-triage.ts';

export interface HitResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  coordination: Pick<Coordination, 'events' | 'queues' | 'locks'>;
  classification: ClassificationEngine;
  metadata: Pick<HitMetadata, 'of'>;
  metrics: ServiceMetrics;
  log: Log;
  /** Default: the present time. */
  clock?: () => Date;
}

/** Everything about alerts: the services, for other parts of the service and the command line, and their routes. */
export interface HitResource {
  readonly service: HitService;
  readonly store: HitStore;
  readonly comments: HitComments;
  readonly labels: HitLabels;
  readonly triage: HitTriage;
  readonly bundles: HitBundles;
  readonly tools: ToolService;
  readonly imports: HitImport;
  readonly cases: CaseStore;
  readonly caseRecords: CaseRecords;
  readonly analytics: AnalyticUpsert;
  readonly events: HitEvents;
  readonly correlation: CorrelationScheduler;
  readonly routes: readonly RouteModule[];
}

/** Puts the services of alerts together. Every write of an alert or a case goes through a collection that sets its access fields. */
export function createHitResource(dependencies: HitResourceDependencies): HitResource {
  const { datastore, coordination, classification, metadata, log } = dependencies;
  const clock = dependencies.clock ?? (() => new Date());
  const hits = classifiedCollection(datastore.collection(hitDocument), hitDocument, classification);
  const caseCollection = classifiedCollection(datastore.collection(caseDocument), caseDocument, classification);
  const eventCollection = classifiedCollection(datastore.collection(eventDocument), eventDocument, classification);
  // Correlation rules and triggered actions have no worker yet.
  const correlation = new CorrelationScheduler({ queues: coordination.queues, hasWorker: false, log });
  const events = new HitEventPublisher({
    events: coordination.events,
    queues: coordination.queues,
    correlation,
    actionsHaveWorker: false,
    counters: hitCounters(dependencies.metrics),
    log,
  });
  const analytics = new AnalyticUpsert({
    analytics: datastore.collection(analyticDocument),
    clock: () => performance.now(),
    log,
  });
  const store = new HitStore({ hits, events, clock });
  const caseRecords = new CaseRecords({ hits, events: eventCollection, clock });
  const cases = new CaseStore({
    cases: caseCollection,
    records: caseRecords,
    events: new CaseEventPublisher({ events: coordination.events, counters: caseCounters(dependencies.metrics), log }),
    classification,
    clock,
  });
  const service = new HitService({ hits, store, analytics, cases, classification, events, clock });
  const comments = new HitComments({ store });
  const labels = new HitLabels({ store, events });
  const triage = new HitTriage({ store, events });
  const bundles = new HitBundles({ service, cases });
  const tools = new ToolService({ service, bundles, hits, clock });
  const imports = new HitImport({ service });
  const routes = [
    hitRoutes({ service, metadata }),
    hitCommentRoutes({ comments }),
    hitLabelRoutes({ labels }),
    hitTransitionRoutes({ triage }),
    hitBundleRoutes({ bundles }),
    toolRoutes({ tools }),
  ];
  return {
    service,
    store,
    comments,
    labels,
    triage,
    bundles,
    tools,
    imports,
    cases,
    caseRecords,
    analytics,
    events,
    correlation,
    routes,
  };
}

function hitCounters(metrics: ServiceMetrics): { created(count: number): void; deleted(count: number): void } {
  // Metrics have no labels from alerts, which may be above everyone who reads metrics.
  const created = metrics.counter('created_hits_total', 'Alerts stored.', []);
  const deleted = metrics.counter('deleted_hits_total', 'Alerts deleted.', []);
  return { created: (count) => created.inc(count), deleted: (count) => deleted.inc(count) };
}

function caseCounters(metrics: ServiceMetrics): { created(): void } {
  const created = metrics.counter('created_cases_total', 'Cases stored.', []);
  return { created: () => created.inc() };
}
