import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { actionDocument } from '../../documents/kinds/action.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import type { Log } from '../../http/request-log.ts';
import type { CaseResource } from '../cases/case-resource.ts';
import type { HitResource } from '../hits/hit-resource.ts';
import type { OwnershipService } from '../saved-objects/ownership-service.ts';
import { permissionRoutes } from '../saved-objects/permission-routes.ts';
import { ActionExecution } from './action-execution.ts';
import { actionRoutes } from './action-routes.ts';
import { ActionService } from './action-service.ts';
import { addToBundle, removeFromBundle } from './operations/bundle-operations.ts';
import { addToCase } from './operations/case-operation.ts';
import { demote, promote } from './operations/escalation-operations.ts';
import { changeField, prioritization } from './operations/field-operations.ts';
import { addLabel, removeLabel } from './operations/label-operations.ts';
import { transition } from './operations/transition-operation.ts';

interface ActionResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  coordination: Pick<Coordination, 'events'>;
  hits: Pick<HitResource, 'service' | 'store' | 'bundles'>;
  cases: Pick<CaseResource, 'items'>;
  ownership: OwnershipService;
  log: Log;
}

export type ActionResource = ReturnType<typeof createActionResource>;

/** Returns the services of actions and their routes. */
export function createActionResource(dependencies: ActionResourceDependencies) {
  const { datastore, coordination, hits, cases, ownership, log } = dependencies;
  const actions = new ActionService(datastore.collection(actionDocument));
  const execution = new ActionExecution({
    hits: datastore.collection(hitDocument),
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
  const routes = [actionRoutes({ actions, execution }), permissionRoutes(ownership, actions)];
  return { actions, execution, routes };
}
