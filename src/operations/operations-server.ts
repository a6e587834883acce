import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { DescribedQueue } from '../coordination/measured-queues.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { documentsInUse } from '../documents/all-documents.ts';
import { migrationDocument } from '../documents/kinds/migration.ts';
import { userDocument } from '../documents/kinds/user.ts';
import { PLAIN_ENVELOPE, plainFailure } from '../http/answers/plain-envelope.ts';
import { type OpenApiDocument, openApiDocument } from '../http/documentation/openapi.ts';
import { privilegedGuard } from '../http/guard.ts';
import type { HealthCheck } from '../http/health-checks.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import { commonSettings, createServiceServer, type ServiceServer } from '../http/service-server.ts';
import type { UserAccounts } from '../identity/accounts/user-accounts.ts';
import type { AlertIdentity } from '../identity/alert-identity.ts';
import type { AnalysisIdentity } from '../identity/analysis-identity.ts';
import type { AuditLog } from '../identity/audit/audit-log.ts';
import { AuditReader } from '../identity/audit/audit-reader.ts';
import { auditFileOf } from '../identity/audit/open-audit-log.ts';
import { AlertApiKeys } from '../identity/keys/alert-api-keys.ts';
import { LockOuts } from '../identity/limits/lock-outs.ts';
import type { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import { UserSessions, webSessionSource } from '../identity/sessions/user-sessions.ts';
import type { UserStore } from '../identity/user-store.ts';
import type { WebIdentity } from '../identity/web-identity.ts';
import type { WebSessionLists } from '../identity/web-session-lists.ts';
import type { JobRecords } from '../jobs/job-records.ts';
import type { JobScheduler } from '../jobs/job-scheduler.ts';
import { jobSchedules } from '../jobs/job-schedules.ts';
import { MIGRATIONS } from '../migrations/registry.ts';
import { AccountDirectory } from './accounts/account-directory.ts';
import { accountRoutes } from './accounts/account-routes.ts';
import { credentialRoutes } from './accounts/credential-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { FirstSteps } from './first-steps/first-steps.ts';
import { firstStepsRoutes } from './first-steps/first-steps-routes.ts';
import { healthRoutes } from './health/health-routes.ts';
import { IndexOverview } from './indices/index-overview.ts';
import { indexRoutes } from './indices/index-routes.ts';
import { JobOverview } from './jobs/job-overview.ts';
import { jobRoutes } from './jobs/job-routes.ts';
import { lockOutRoutes } from './lock-outs/lock-out-routes.ts';
import { MigrationOverview } from './migrations/migration-overview.ts';
import { migrationRoutes } from './migrations/migration-routes.ts';
import { READ } from './operations-access.ts';
import { queueRoutes } from './queues/queue-routes.ts';
import { settingsRoutes } from './settings/settings-routes.ts';

export interface OperationsServerDependencies {
  /** Version of the program. */
  readonly version: string;
  readonly settings: Config;
  readonly log: Log;
  readonly datastore: Datastore;
  readonly coordination: Coordination;
  readonly checks: readonly HealthCheck[];
  readonly outage?: () => Error | undefined;
  readonly classification: ClassificationEngine;
  readonly users: UserStore;
  readonly accounts: UserAccounts;
  readonly registry: Pick<ProviderRegistry, 'all'>;
  readonly identity: AlertIdentity;
  readonly analysisIdentity: Pick<AnalysisIdentity, 'sessions'>;
  readonly webIdentity: Pick<WebIdentity, 'sessions' | 'factorAccounts'>;
  readonly webSessionLists: Pick<WebSessionLists, 'list'>;
  readonly auditLog: AuditLog;
  readonly scheduler: JobScheduler;
  readonly jobRecords: JobRecords;
  readonly queues: readonly DescribedQueue[];
  readonly createDemoAlerts: () => Promise<unknown>;
}

export interface OperationsServer extends ServiceServer {
  readonly firstSteps: FirstSteps;
  /** Returns the OpenAPI document of the routes. */
  document(): OpenApiDocument;
}

const DOCUMENTATION = {
  title: 'Triad operations',
  description:
    'State of the installation, for administrators. The web listener serves it below /services/operations, with the session of the browser.',
  failure: plainFailure(),
  security: {
    schemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'triad', description: 'Session of the web listener.' },
    },
    alternatives: [['session']],
  },
};

/**
 * Creates the server of the operations API, which never listens: the web listener passes requests on.
 * Its callers are those of the alert service, administrators alone.
 */
export function createOperationsServer(dependencies: OperationsServerDependencies): OperationsServer {
  const { version, settings, log, datastore, coordination, auditLog, scheduler, jobRecords } = dependencies;
  const server = createServiceServer({
    log,
    guard: privilegedGuard(dependencies.identity),
    quota: undefined,
    audit: settings.ui.audit,
    envelope: PLAIN_ENVELOPE,
    ...commonSettings(settings.http),
    outage: dependencies.outage,
    finalSlash: 'ignored',
  });
  const { admin } = datastore;
  const indices = new IndexOverview({ admin, definitions: documentsInUse(settings) });
  const jobs = new JobOverview({
    schedules: jobSchedules(settings),
    scheduler,
    records: jobRecords,
    isScheduling: settings.components.includes('jobs'),
  });
  const migrations = new MigrationOverview({
    records: datastore.collection(migrationDocument),
    registry: MIGRATIONS,
    staleClaimTimeout: settings.migration.stale_claim_timeout,
  });
  const { internal } = settings.auth;
  const { users, identity, analysisIdentity, webIdentity, webSessionLists } = dependencies;
  const { appTokens } = identity;
  const web = webSessionSource({ lists: webSessionLists, sessions: webIdentity.sessions });
  const sources = { alerts: appTokens, analysis: analysisIdentity.sessions, web };
  const sessions = new UserSessions({ sources, appTokens, audit: auditLog });
  const directory = new AccountDirectory({
    users,
    collection: datastore.collection(userDocument),
    accounts: dependencies.accounts,
    classification: dependencies.classification,
    passwords: internal.password_requirements,
  });
  const firstSteps = new FirstSteps({
    datastore,
    locks: coordination.locks,
    users,
    providers: dependencies.registry.all().map(({ name }) => name),
    createDemoAlerts: dependencies.createDemoAlerts,
  });
  const document = () => openApiDocument({ ...DOCUMENTATION, version, routes: server.routes.all });
  const modules: readonly RouteModule[] = [
    healthRoutes({ checks: dependencies.checks, version, components: settings.components }),
    indexRoutes({ overview: indices, auditLog }),
    migrationRoutes({ overview: migrations }),
    jobRoutes({ overview: jobs, scheduler, auditLog }),
    lockOutRoutes({ lockOuts: new LockOuts({ counters: coordination.counters, settings: internal }), auditLog }),
    credentialRoutes({
      users,
      sessions,
      apiKeys: new AlertApiKeys({ users, settings: settings.auth, audit: auditLog }),
      secondFactors: webIdentity.factorAccounts,
    }),
    auditRoutes({
      reader: settings.audit.to === 'file' ? new AuditReader(auditFileOf(settings)) : undefined,
      settings: settings.audit,
    }),
    firstStepsRoutes({ firstSteps, auditLog }),
    accountRoutes({ directory }),
    queueRoutes({ queues: coordination.queues, described: dependencies.queues }),
    settingsRoutes(settings),
  ];
  for (const register of modules) register(server.app);
  server.app.get(
    '/v1/openapi.json',
    { access: READ, envelope: false, schema: { tags: ['documentation'], summary: 'This document' } },
    document,
  );
  return { ...server, document, firstSteps };
}
