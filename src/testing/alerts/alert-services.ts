import { createHitResource } from '../../alerts/hits/hit-resource.ts';
import { HitMetadata } from '../../alerts/metadata/hit-metadata.ts';
import { SavedQueryEvaluator } from '../../alerts/saved-query.ts';
import { CorrelationQueue } from '../../alerts/workers/correlation-queue.ts';
import { RunReports } from '../../alerts/workers/run-reports.ts';
import { TriggerQueue } from '../../alerts/workers/trigger-queue.ts';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { dossierDocument } from '../../documents/kinds/dossier.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { overviewDocument } from '../../documents/kinds/overview.ts';
import { templateDocument } from '../../documents/kinds/template.ts';
import { ServiceMetrics } from '../../http/service-metrics.ts';
import { readAccessFor } from '../../identity/accounts/read-access.ts';
import type { Actor, Role } from '../../identity/actor.ts';

/**
 * The classification of the demo:
 * UNRESTRICTED and RESTRICTED, marks SUPER USER and ADMIN, two departments, two groups.
 */
export const testClassification = loadClassification(DEMO_CLASSIFICATION);

/** Returns a caller. Default: `ana`, a user who may see RESTRICTED documents. */
export function anActor(changes: Partial<Actor> & { readonly username?: string } = {}): Actor {
  const { username = 'ana', classification = 'RESTRICTED', roles = new Set<Role>(['user']) } = changes;
  const access = readAccessFor(testClassification, classification, username);
  const isAdmin = roles.has('admin');
  return {
    username,
    name: username,
    email: `${username}@triad.example`,
    roles,
    privileges: new Set(['R', 'W', 'E']),
    hasFullScope: true,
    isAdmin,
    groups: [],
    classification,
    searchAccess: access,
    readAccess: isAdmin ? unrestricted('administrators read everything by its identifier') : access,
    method: 'password',
    keyName: undefined,
    impersonator: undefined,
    quota: 25,
    ...changes,
  };
}

export const anAdministrator = (): Actor => anActor({ username: 'root', roles: new Set(['admin', 'user']) });

/** The services of alerts on the embedded datastore and coordination, in memory. `close` when done. */
export async function openAlertServices() {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const log = { info() {}, warn() {}, error() {} };
  const metrics = new ServiceMetrics();
  const savedQueries = new SavedQueryEvaluator({
    counter: metrics.counter('saved_queries_skipped_total', 'Saved queries that were skipped.', ['reason']),
    log,
  });
  const metadata = new HitMetadata({
    templates: datastore.collection(templateDocument),
    overviews: datastore.collection(overviewDocument),
    analytics: datastore.collection(analyticDocument),
    dossiers: datastore.collection(dossierDocument),
    savedQueries,
  });
  const classification = testClassification;
  const reports = new RunReports({ coordination, classification, log });
  const triggers = new TriggerQueue({ queues: coordination.queues, reports, log, enabled: true });
  const correlation = new CorrelationQueue({ queues: coordination.queues, log, enabled: true });
  /** Users in whose name work is done without a request. */
  const actors = new Map<string, Actor>();
  const actorFor = async (username: string) => actors.get(username);
  const shared = { datastore, coordination, classification, metrics, log };
  const resource = createHitResource({ ...shared, metadata, triggers, correlation });
  return {
    ...resource,
    reports,
    triggers,
    actors,
    /** Dependencies of the resources of cases and of actions. */
    shared: { ...shared, reports, actorFor },
    savedQueries,
    datastore,
    coordination,
    metrics,
    hitCollection: datastore.collection(hitDocument),
    analyticCollection: datastore.collection(analyticDocument),
    caseCollection: datastore.collection(caseDocument),
    /** Stores an alert and returns it. */
    async aHit(actor: Actor, fields: Record<string, unknown> = {}) {
      const input = { 'howler.analytic': 'Probe', ...fields };
      const { valid, invalid } = await resource.service.read(actor, [input]);
      if (invalid[0]) throw new Error(invalid[0].error);
      const { hits } = await resource.service.create(
        actor,
        valid.map(({ record }) => record),
        'now',
      );
      const [hit] = hits;
      if (hit === undefined) throw new Error('no alert was made');
      return hit;
    },
    async close(): Promise<void> {
      await coordination.close();
      await datastore.close();
    },
  };
}

export type AlertServices = Awaited<ReturnType<typeof openAlertServices>>;
