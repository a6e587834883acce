import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Workers } from '../coordination/queue-worker.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { filescoreDocument } from '../documents/kinds/analysis/filescore.ts';
import { submissionDocument } from '../documents/kinds/analysis/submission.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import { classifiedCollection } from '../identity/accounts/classified-collection.ts';
import type { ActionRunner } from './completion/action-runner.ts';
import type { Dispatcher } from './dispatching/dispatcher.ts';
import type { AnalysisFiles } from './files/analysis-files.ts';
import { IngestQueues } from './ingest/ingest-queues.ts';
import { ingestRoutes } from './ingest/ingest-routes.ts';
import { IngestService } from './ingest/ingest-service.ts';
import { IngestSteps } from './ingest/ingest-steps.ts';
import { IngestUpkeep } from './ingest/ingest-upkeep.ts';
import { Ingester } from './ingest/ingester.ts';
import { NotificationQueues } from './ingest/notification-queues.ts';
import { Rescans } from './ingest/rescans.ts';
import type { SubmitResource } from './submit-resource.ts';

export interface IngestResourceDependencies {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Coordination;
  readonly classification: ClassificationEngine;
  readonly files: AnalysisFiles;
  readonly submit: SubmitResource;
  readonly actions: Pick<ActionRunner, 'cacheHit'>;
  readonly dispatcher: Pick<Dispatcher, 'isRunning' | 'dispatch'>;
  readonly isActive: () => Promise<boolean>;
  readonly settings: Pick<Config, 'analysis'>;
  readonly log: Log;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
  readonly random?: () => number;
}

export type IngestResource = ReturnType<typeof openIngest>;

/** Opens what takes files in bulk, and its workers. */
export function openIngest(dependencies: IngestResourceDependencies) {
  const { datastore, coordination, classification, files, actions, dispatcher, isActive, log } = dependencies;
  const { now = Date.now, random = Math.random } = dependencies;
  const { analysis: settings } = dependencies.settings;
  const { submit, drafts, intake, quotas, bodies, arrivals } = dependencies.submit;
  const { tables, queues, events } = coordination;
  const submissions = classifiedCollection(
    datastore.collection(submissionDocument),
    submissionDocument,
    classification,
  );
  const filescores = datastore.collection(filescoreDocument);
  const notifications = new NotificationQueues(queues, now);
  const ingest = new IngestService({ queues, events, drafts, intake, files, quotas, arrivals, submit, log, now });
  const steps = new IngestSteps({
    ...{
      tables,
      submissions,
      filescores,
      submit,
      dispatcher,
      actions,
      quotas,
      notifications,
      settings,
      log,
      now,
      random,
    },
  });
  const rescans = new Rescans({ queues, steps, maxPriority: settings.ui.ingest_max_priority, now });
  const { ingester: ingesterSettings, plumber } = settings.core;
  const ingester = new Ingester({ queues, steps, arrivals, settings: ingesterSettings, isActive, log });
  const upkeep = new IngestUpkeep({
    coordination,
    submissions,
    dispatcher,
    steps,
    notifications,
    settings: plumber,
    log,
    now,
  });
  const worker: Workers = {
    start() {
      ingester.start();
      upkeep.start();
    },
    async stop() {
      await Promise.all([ingester.stop(), upkeep.stop()]);
    },
  };
  const queuesOverview = new IngestQueues(queues, now);
  return {
    ...{ ingest, ingester, upkeep, steps, rescans, notifications, bodies, worker },
    lengths: () => queuesOverview.lengths(),
    ages: () => queuesOverview.ages(),
  };
}

export function routesOfIngest({ ingest, bodies, notifications }: IngestResource): readonly RouteModule[] {
  return [ingestRoutes({ ingest, bodies, notifications })];
}
