import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { withVisibleEntries } from '../search/visible-entries.ts';
import { CaseItemPlacement } from './case-item-placement.ts';
import { CaseItemService } from './case-item-service.ts';
import type { CaseRecords } from './case-records.ts';
import { caseRoutes } from './case-routes.ts';
import { CaseRuleService } from './case-rule-service.ts';
import { CaseService } from './case-service.ts';
import type { CaseStore } from './case-store.ts';

export interface CaseResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  coordination: Pick<Coordination, 'queues'>;
  classification: ClassificationEngine;
  store: CaseStore;
  records: CaseRecords;
}

/** The services of cases and their routes. */
export interface CaseResource {
  readonly cases: CaseService;
  readonly items: CaseItemService;
  readonly rules: CaseRuleService;
  readonly routes: readonly RouteModule[];
}

/** Composes the services of cases. */
export function createCaseResource(dependencies: CaseResourceDependencies): CaseResource {
  const { datastore, coordination, classification, store, records } = dependencies;
  const placement = new CaseItemPlacement({ cases: store, records, classification });
  const cases = new CaseService({
    cases: store,
    records,
    placement,
    classification,
  });
  const items = new CaseItemService({ cases: store, placement, classification });
  const rules = new CaseRuleService({ cases: store, datastore, queues: coordination.queues, classification });
  const routes = caseRoutes({
    cases,
    items,
    rules,
    show: (actor, document) => withVisibleEntries(classification, actor.classification, caseDocument, document),
  });
  return { cases, items, rules, routes: [routes] };
}
