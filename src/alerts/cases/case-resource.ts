import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { withVisibleCaseItems } from '../search/visible-case-items.ts';
import { CaseFiling } from './case-filing.ts';
import { CaseItemPlacement } from './case-item-placement.ts';
import { caseItemRoutes } from './case-item-routes.ts';
import { CaseItemService } from './case-item-service.ts';
import type { CaseRecords } from './case-records.ts';
import { caseRoutes, type ShowCase } from './case-routes.ts';
import { caseRuleRoutes } from './case-rule-routes.ts';
import { CaseRuleService } from './case-rule-service.ts';
import { CaseService } from './case-service.ts';
import type { CaseStore } from './case-store.ts';
import type { CorrelationScheduler } from './correlation-scheduler.ts';

export interface CaseResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  classification: ClassificationEngine;
  store: CaseStore;
  records: CaseRecords;
  correlation: CorrelationScheduler;
}

/** The services of cases and their routes. */
export interface CaseResource {
  readonly cases: CaseService;
  readonly items: CaseItemService;
  readonly rules: CaseRuleService;
  readonly filing: CaseFiling;
  readonly routes: readonly RouteModule[];
}

/** Puts the services of cases together. */
export function createCaseResource(dependencies: CaseResourceDependencies): CaseResource {
  const { datastore, classification, store, records, correlation } = dependencies;
  const placement = new CaseItemPlacement({ cases: store, records, classification });
  const cases = new CaseService({ cases: store, placement, classification });
  const items = new CaseItemService({ cases: store, placement, classification });
  const rules = new CaseRuleService({ cases: store, datastore, correlation, classification });
  const filing = new CaseFiling({ cases: store, placement });
  const show: ShowCase = (actor, document) => withVisibleCaseItems(classification, actor.classification, document);
  const routes = [caseRoutes({ cases, show }), caseItemRoutes({ items, show }), caseRuleRoutes({ rules, show })];
  return { cases, items, rules, filing, routes };
}
