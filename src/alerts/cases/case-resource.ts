import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import type { Log } from '../../http/request-log.ts';
import type { ServiceMetrics } from '../../http/service-metrics.ts';
import type { Actor } from '../../identity/actor.ts';
import type { RunReports } from '../workers/run-reports.ts';
import { CaseItemService } from './case-item-service.ts';
import { caseRoutes } from './case-routes.ts';
import { CaseRuleService } from './case-rule-service.ts';
import { CaseService } from './case-service.ts';
import type { CaseStore } from './case-store.ts';
import { Correlator } from './correlation/correlator.ts';
import { RuleBook } from './correlation/rule-book.ts';

export interface CaseResourceDependencies {
  datastore: Pick<Datastore, 'collection'>;
  coordination: Pick<Coordination, 'queues' | 'events'>;
  classification: ClassificationEngine;
  store: CaseStore;
  reports: RunReports;
  actorFor: (username: string) => Promise<Actor | undefined>;
  metrics: ServiceMetrics;
  log: Log;
}

/** The services of cases and their routes. */
export type CaseResource = ReturnType<typeof createCaseResource>;

/** Composes the services of cases. */
export function createCaseResource(dependencies: CaseResourceDependencies) {
  const { datastore, coordination, classification, store, reports, actorFor, metrics, log } = dependencies;
  const context = { cases: store, classification };
  const cases = new CaseService(context);
  const items = new CaseItemService(context);
  const rules = new CaseRuleService({ ...context, datastore, queues: coordination.queues, reports });
  const book = new RuleBook({ cases: store, events: coordination.events, reports, log });
  const counter = metrics.counter('correlated_records_total', 'Records filed into cases by their rules.', []);
  const correlator = new Correlator({ book, records: store.records, items, reports, actorFor, log, counter });
  return { cases, items, rules, book, correlator, routes: [caseRoutes({ cases, items, rules, classification })] };
}
