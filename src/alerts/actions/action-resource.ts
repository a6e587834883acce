import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { actionDocument } from '../../documents/kinds/action.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import type { Log } from '../../http/request-log.ts';
import type { ServiceMetrics } from '../../http/service-metrics.ts';
import type { Actor } from '../../identity/actor.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import type { CaseResource } from '../cases/case-resource.ts';
import type { HitResource } from '../hits/hit-resource.ts';
import type { OwnershipService } from '../saved-objects/ownership-service.ts';
import { permissionRoutes } from '../saved-objects/permission-routes.ts';
import type { SavedQueryEvaluator } from '../saved-query.ts';
import type { RunReports } from '../workers/run-reports.ts';
import type { TriggerQueue } from '../workers/trigger-queue.ts';
import { ActionExecution } from './action-execution.ts';
import { actionRoutes } from './action-routes.ts';
import { ActionService } from './action-service.ts';
import { addToBundle, removeFromBundle } from './operations/bundle-operations.ts';
import { addToCase } from './operations/case-operation.ts';
import { demote, promote } from './operations/escalation-operations.ts';
import { changeField, prioritization } from './operations/field-operations.ts';
import { addLabel, removeLabel } from './operations/label-operations.ts';
import { transition } from './operations/transition-operation.ts';
import { TriggeredActions } from './triggered-actions.ts';

interface ActionResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  coordination: Pick<Coordination, 'events'>;
  hits: Pick<HitResource, 'service' | 'store' | 'bundles'>;
  cases: Pick<CaseResource, 'items'>;
  ownership: OwnershipService;
  savedQueries: SavedQueryEvaluator;
  triggers: Pick<TriggerQueue, 'runInlineBy'>;
  reports: RunReports;
  actorFor: (username: string) => Promise<Actor | undefined>;
  audit: AuditLog;
  metrics: ServiceMetrics;
  log: Log;
}

export type ActionResource = ReturnType<typeof createActionResource>;

/** Returns the services of actions and their routes. */
export function createActionResource(dependencies: ActionResourceDependencies) {
  const { datastore, coordination, hits, cases, ownership, savedQueries, triggers, reports, log } = dependencies;
  const stored = datastore.collection(actionDocument);
  const actions = new ActionService(stored);
  const records = datastore.collection(hitDocument);
  const execution = new ActionExecution({
    hits: records,
    operations: [
      addLabel(hits.service),
      removeLabel(hits.service),
      changeField(hits.service),
      prioritization(hits.service),
      promote(hits.service),
      demote(hits.service),
      transition({ store: hits.store, events: coordination.events, log }),
      addToCase({ items: cases.items, service: hits.service }),
      addToBundle(hits.bundles),
      removeFromBundle(hits.bundles),
    ],
  });
  const triggered = new TriggeredActions({
    actions: stored,
    hits: records,
    updates: hits.service,
    execution,
    savedQueries,
    reports,
    actorFor: dependencies.actorFor,
    audit: dependencies.audit,
    log,
    counter: dependencies.metrics.counter('triggered_actions_total', 'Runs of actions by triggers.', ['trigger']),
  });
  triggers.runInlineBy((trigger, items) => triggered.runInline(trigger, items));
  const routes = [actionRoutes({ actions, execution, reports }), permissionRoutes(ownership, actions)];
  return { actions, execution, triggered, routes };
}
