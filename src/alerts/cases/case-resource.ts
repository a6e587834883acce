import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { CaseItemService } from './case-item-service.ts';
import { caseRoutes } from './case-routes.ts';
import { CaseRuleService } from './case-rule-service.ts';
import { CaseService } from './case-service.ts';
import type { CaseStore } from './case-store.ts';

export interface CaseResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  coordination: Pick<Coordination, 'queues'>;
  classification: ClassificationEngine;
  store: CaseStore;
}

/** The services of cases and their routes. */
export type CaseResource = ReturnType<typeof createCaseResource>;

/** Composes the services of cases. */
export function createCaseResource({ datastore, coordination, classification, store }: CaseResourceDependencies) {
  const context = { cases: store, classification };
  const cases = new CaseService(context);
  const items = new CaseItemService(context);
  const rules = new CaseRuleService({ ...context, datastore, queues: coordination.queues });
  return { cases, items, rules, routes: [caseRoutes({ cases, items, rules, classification })] };
}
