import { randomUUID } from 'node:crypto';
import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { RateLimitedLogger } from '../coordination/rate-limited-logger.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { alertDocument } from '../documents/kinds/analysis/alert.ts';
import { fileDocument } from '../documents/kinds/analysis/file.ts';
import { resultDocument } from '../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../documents/kinds/analysis/submission.ts';
import { workflowDocument } from '../documents/kinds/analysis/workflow.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import type { UserStore } from '../identity/user-store.ts';
import { alertChangeRoutes } from './alerts/alert-change-routes.ts';
import { AlertChanges } from './alerts/alert-changes.ts';
import { alertRoutes } from './alerts/alert-routes.ts';
import { AlertService } from './alerts/alert-service.ts';
import { type AlertEvent, Alerter } from './alerts/alerter.ts';
import { SubmissionSummaries } from './alerts/submission-summaries.ts';
import { base62 } from './results/result-keys.ts';
import { workflowRoutes } from './workflows/workflow-routes.ts';
import { WorkflowRunner } from './workflows/workflow-runner.ts';
import { WorkflowService } from './workflows/workflow-service.ts';

/** Channel of new and changed alerts. */
export const ALERT_EVENTS = 'analysis.alert';

export interface AlertsDependencies {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'events' | 'locks'>;
  readonly classification: ClassificationEngine;
  readonly users: Pick<UserStore, 'recent'>;
  readonly settings: Pick<Settings, 'analysis'>;
  readonly log: Log;
}

export type Alerts = ReturnType<typeof openAlerts>;

/** Opens what makes, shows and changes alerts. */
export function openAlerts({ datastore, coordination, classification, users, settings, log }: AlertsDependencies) {
  const { core, ui, submission } = settings.analysis;
  const alerts = datastore.collection(alertDocument);
  const submissions = datastore.collection(submissionDocument);
  const workflows = datastore.collection(workflowDocument);
  const files = datastore.collection(fileDocument);
  const results = datastore.collection(resultDocument);
  const { verdicts } = submission;
  const summaries = new SubmissionSummaries({ results, files, users, classification, verdicts, log });
  const failures = new RateLimitedLogger(log);
  const publish = async (event: AlertEvent) => {
    try {
      await coordination.events.publish(ALERT_EVENTS, event);
    } catch (err) {
      failures.warn({ err, alert: event.msg.alert_id }, 'an event could not be published');
    }
  };
  const origin = ui.fqdn;
  const workflowService = new WorkflowService({ workflows, alerts, classification, log, newId: newRandomId, origin });
  return {
    summaries,
    alerts: new AlertService({ alerts, delay: core.alerter.delay * 1000, statistics: ui.statistics.alert }),
    changes: new AlertChanges({ alerts, submissions, classification }),
    alerter: new Alerter({
      alerts,
      submissions,
      files,
      summarise: (one) => summaries.forSubmitter(one),
      classification,
      publish,
      log,
      daysToLive: core.alerter.alert_ttl,
    }),
    workflows: workflowService,
    runner: new WorkflowRunner({
      workflows,
      alerts,
      service: workflowService,
      classification,
      locks: coordination.locks,
      log,
    }),
  };
}

/** Returns the routes of alerts and workflows. */
export function routesOfAlerts({ alerts, changes, workflows }: Alerts): readonly RouteModule[] {
  return [alertRoutes({ alerts }), alertChangeRoutes({ changes }), workflowRoutes({ workflows })];
}

/** Returns a random identifier in the form of the public system. */
export function newRandomId(): string {
  return base62(BigInt(`0x${randomUUID().replaceAll('-', '')}`));
}
