import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { DescribedQueue } from '../coordination/measured-queues.ts';
import type { Workers } from '../coordination/queue-worker.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { analyticDocument } from '../documents/kinds/analytic.ts';
import { caseDocument } from '../documents/kinds/case.ts';
import { dossierDocument } from '../documents/kinds/dossier.ts';
import { eventDocument } from '../documents/kinds/event.ts';
import { hitDocument } from '../documents/kinds/hit.ts';
import { overviewDocument } from '../documents/kinds/overview.ts';
import { templateDocument } from '../documents/kinds/template.ts';
import { viewDocument } from '../documents/kinds/view.ts';
import { TooManyRequests } from '../errors/errors.ts';
import { howlerEnvelope, howlerEnvelopeSchema } from '../http/answers/howler-envelope.ts';
import { ApplicationList } from '../http/application-list.ts';
import { concurrentCalls } from '../http/call-quota.ts';
import { documentationRoutes } from '../http/documentation/documentation-routes.ts';
import { privilegedGuard } from '../http/guard.ts';
import type { HealthCheck } from '../http/health-checks.ts';
import { keySetRoutes } from '../http/key-set-routes.ts';
import { operationRoutes } from '../http/operation-routes.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import { commonSettings, createServiceServer, type ServiceServer } from '../http/service-server.ts';
import type { AvatarService } from '../identity/accounts/avatar-service.ts';
import type { UserAccounts } from '../identity/accounts/user-accounts.ts';
import type { AlertIdentity } from '../identity/alert-identity.ts';
import type { AuditLog } from '../identity/audit/audit-log.ts';
import type { InstallationTokens } from '../identity/installation-tokens/installation-tokens.ts';
import { AlertApiKeys } from '../identity/keys/alert-api-keys.ts';
import { RequestQuota } from '../identity/limits/quota.ts';
import type { CodeLogin } from '../identity/oauth/code-login.ts';
import type { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import { ProviderResources } from '../identity/obo/provider-resources.ts';
import type { TokenExchange } from '../identity/obo/token-exchange.ts';
import type { UserStore } from '../identity/user-store.ts';
import type { Job } from '../jobs/job.ts';
import { SearchCursors } from '../search/search-cursors.ts';
import { SearchShares } from '../search/search-shares.ts';
import { createActionResource } from './actions/action-resource.ts';
import { analyticRoutes } from './analytics/analytic-routes.ts';
import { AnalyticService } from './analytics/analytic-service.ts';
import { apiKeyRoutes } from './authentication/api-key-routes.ts';
import { loginRoutes } from './authentication/login-routes.ts';
import { logoutRoutes } from './authentication/logout-routes.ts';
import { PostLoginHooks } from './authentication/post-login-hooks.ts';
import { createCaseResource } from './cases/case-resource.ts';
import { EnrichmentProxy } from './clue/enrichment-proxy.ts';
import { proxyRoutes } from './clue/proxy-routes.ts';
import { ProxyTokens } from './clue/proxy-tokens.ts';
import { configRoutes } from './configs/config-routes.ts';
import { readLookups } from './configs/lookups.ts';
import { createHitResource, type HitResource } from './hits/hit-resource.ts';
import { ingestRoutes } from './ingest/ingest-routes.ts';
import { IngestService } from './ingest/ingest-service.ts';
import { HitMetadata } from './metadata/hit-metadata.ts';
import { Retention } from './retention/retention.ts';
import { rootRoutes } from './root/root-routes.ts';
import { dossierRoutes } from './saved-objects/dossier-routes.ts';
import { DossierService } from './saved-objects/dossier-service.ts';
import { overviewRoutes, templateRoutes } from './saved-objects/layout-routes.ts';
import { overviewKind, templateKind } from './saved-objects/layouts.ts';
import { OwnershipService } from './saved-objects/ownership-service.ts';
import { permissionRoutes } from './saved-objects/permission-routes.ts';
import { SavedObjects } from './saved-objects/saved-objects.ts';
import { ViewCleanup } from './saved-objects/view-cleanup.ts';
import { viewRoutes } from './saved-objects/view-routes.ts';
import { ViewService } from './saved-objects/view-service.ts';
import { SavedQueryEvaluator } from './saved-query.ts';
import { AggregationService } from './search/aggregation-service.ts';
import { fuzzyRoutes } from './search/fuzzy/fuzzy-routes.ts';
import { FuzzySearch } from './search/fuzzy/fuzzy-service.ts';
import { searchRoutes } from './search/search-routes.ts';
import { SearchService } from './search/search-service.ts';
import { socketRoutes } from './sockets/socket-routes.ts';
import { SocketService } from './sockets/socket-service.ts';
import { taskRoutes } from './tasks/task-routes.ts';
import { taskSearch } from './tasks/task-service.ts';
import { userRoutes } from './users/user-routes.ts';
import { ALERT_QUEUES, openWork } from './work.ts';

interface AlertsServerDependencies {
  /** Version of the program, `api_server_version` of every answer. */
  readonly version: string;
  readonly settings: Config;
  readonly log: Log;
  readonly datastore: Datastore;
  readonly coordination: Coordination;
  readonly checks: readonly HealthCheck[];
  readonly outage?: () => Error | undefined;
  readonly classification: ClassificationEngine;
  readonly users: UserStore;
  readonly identity: AlertIdentity;
  readonly accounts: UserAccounts;
  readonly avatars: AvatarService;
  readonly auditLog: AuditLog;
  readonly registry: ProviderRegistry;
  readonly codeLogin: CodeLogin;
  /** For addresses of a provider that want a token of their own. */
  readonly alertsExchange: TokenExchange;
  readonly installationTokens: Pick<InstallationTokens, 'issue' | 'keySet'>;
}

export interface AlertsServer extends ServiceServer {
  readonly queues: readonly DescribedQueue[];
  /** The services behind the routes of alerts, for commands that do without HTTP. */
  readonly hits: HitResource;
  /** Completes the sign-in of users of a provider. */
  readonly postLogin: PostLoginHooks;
  /** The work that no request waits for. It does not run until it is started. */
  readonly workers: Workers;
  /** Jobs that run by a crontab. */
  readonly jobs: readonly Job[];
}

const DOCUMENTATION = {
  title: 'Triad alerts',
  description:
    'Alerts, who they are about and what was done about them. Every path answers with and without its final slash.',
};

/** The alert service: its server with the routes of every resource, not yet listening. */
export function createAlertsServer(dependencies: AlertsServerDependencies): AlertsServer {
  const { version, settings, log, datastore, coordination, classification, users, identity } = dependencies;
  const { accounts, avatars, registry } = dependencies;
  const { audit } = settings.ui;
  const envelope = howlerEnvelope(version, { nullData: 'kept' });
  const server = createServiceServer({
    log,
    guard: privilegedGuard(identity, { lentReads: true }),
    quota: settings.ui.enforce_quota
      ? concurrentCalls({
          places: new RequestQuota({ counters: coordination.counters, log }),
          log,
          refusal: ({ quota }) =>
            new TooManyRequests('quota_exceeded', `You've exceeded your maximum quota of ${quota}`, { retryAfter: 1 }),
        })
      : undefined,
    audit,
    envelope,
    ...commonSettings(settings.http),
    outage: dependencies.outage,
    publicUrl: settings.alerts.public_url ?? undefined,
    elsewhere: elsewhere(settings.components),
  });
  const { routes, metrics } = server;

  const templates = datastore.collection(templateDocument);
  const overviews = datastore.collection(overviewDocument);
  const dossiers = datastore.collection(dossierDocument);
  const analyticRecords = datastore.collection(analyticDocument);
  const skipped = 'Saved queries that were skipped, by the reason.';
  const counter = metrics.counter('saved_queries_skipped_total', skipped, ['reason']);
  const savedQueries = new SavedQueryEvaluator({ counter, log });
  const metadata = new HitMetadata({ templates, overviews, analytics: analyticRecords, dossiers, savedQueries });
  const work = openWork({ settings: settings.system, coordination, classification, users, identity, log });
  const { triggers, correlation, reports, actorFor } = work;
  metrics.gauge('queue_items', 'Items of queues that wait for workers.', 'queue', () => work.backlog());
  const shared = { datastore, coordination, classification, metrics, log };
  const hits = createHitResource({ ...shared, metadata, triggers, correlation });
  const cases = createCaseResource({ ...shared, store: hits.cases, reports, actorFor });
  const apiKeys = new AlertApiKeys({ users, settings: settings.auth, audit: dependencies.auditLog });
  const cursors = new SearchCursors(coordination);
  const search = new SearchService({ datastore, classification, metadata, cursors });
  const aggregations = new AggregationService(datastore);
  const shares = new SearchShares();
  const viewRecords = datastore.collection(viewDocument);
  const views = new ViewService({ views: viewRecords, users });
  const hitRecords = datastore.collection(hitDocument);
  const dossierService = new DossierService({ dossiers, hits: hitRecords, metadata, savedQueries });
  const resources = new ProviderResources({ registry, exchange: dependencies.alertsExchange, log });
  const ownership = new OwnershipService({ users });
  const acting = { ...shared, savedQueries, triggers, reports, actorFor, audit: dependencies.auditLog };
  const actions = createActionResource({ ...acting, hits, cases, ownership });
  const analytics = new AnalyticService({ analytics: analyticRecords, users });
  const sockets = new SocketService({
    coordination,
    classification,
    records: [hitRecords, datastore.collection(caseDocument), datastore.collection(eventDocument)],
    counters: {
      opened: metrics.counter('sockets_opened_total', 'Websockets opened.', []),
      closed: metrics.counter('sockets_closed_total', 'Websockets closed, by the reason.', ['reason']),
    },
    log,
  });

  const { discovery, ui } = settings;
  const applications = new ApplicationList({
    address: (discovery.enabled ? discovery.url : null) ?? ui.discover_url,
    setting: 'discovery.url or ui.discover_url',
    own: 'howler',
    log,
  });

  const { clue } = settings.core;
  const proxyTokens = new ProxyTokens({
    exchange: dependencies.alertsExchange,
    issuer: {
      issue: (actor) => {
        const audience = { service: 'enrichment' } as const;
        return dependencies.installationTokens.issue({ actor, audience, party: 'alerts', rights: 'own' });
      },
    },
  });
  const proxy = new EnrichmentProxy({ url: clue.url, tokens: proxyTokens, log });

  const postLogin = new PostLoginHooks({ views, avatars, resources, registry, log });
  const operation = operationRoutes({ probes: '/api/healthz', checks: dependencies.checks, metrics, log });
  const modules: readonly RouteModule[] = [
    keySetRoutes(dependencies.installationTokens),
    rootRoutes({ routes, audit }),
    loginRoutes({
      identity,
      codeLogin: dependencies.codeLogin,
      redirectOrigins: settings.auth.oauth.redirect_origins,
      arrivals: postLogin,
    }),
    logoutRoutes({
      identity,
      codeLogin: dependencies.codeLogin,
      exchange: dependencies.alertsExchange,
      audit: dependencies.auditLog,
    }),
    apiKeyRoutes({ apiKeys, identity }),
    userRoutes({ users, accounts, avatars, identity, resources }),
    configRoutes({
      settings,
      classification,
      version,
      lookups: readLookups(settings.lookup_folder),
      identity,
      envelope,
      applications,
    }),
    ...hits.routes,
    ...cases.routes,
    taskRoutes(
      taskSearch({
        cases: datastore.collection(caseDocument),
        classification,
        searchesUnfiltered: settings.auth.users_without_access_control === 'unfiltered',
      }),
    ),
    ingestRoutes({ ingest: new IngestService({ hit: hits.service, event: hits.eventService }) }),
    searchRoutes({ search, aggregations, shares }),
    fuzzyRoutes({ fuzzy: new FuzzySearch({ datastore, classification }), shares }),
    analyticRoutes({ analytics, users }),
    viewRoutes(views),
    permissionRoutes(ownership, views),
    templateRoutes(new SavedObjects(templates, templateKind)),
    overviewRoutes(new SavedObjects(overviews, overviewKind)),
    dossierRoutes(dossierService),
    permissionRoutes(ownership, dossierService),
    ...actions.routes,
    ...(clue.enabled ? [proxyRoutes({ proxy })] : []),
    documentationRoutes({ ...DOCUMENTATION, version, envelope: howlerEnvelopeSchema, routes }),
  ];
  operation(server.app);
  if (settings.components.includes('http')) {
    server.app.addHook('onReady', async () => applications.prepare());
    for (const register of modules) register(server.app);
  }
  if (settings.components.includes('sockets')) {
    socketRoutes({ sockets, identity, emitSecret: settings.alerts.emit_secret })(server.app);
  }
  const retained = { hits: hitRecords, analytics: analyticRecords, cases: hits.cases, deleted: hits.deleted };
  const jobs = [
    new Retention({ ...retained, settings: settings.system.retention }),
    new ViewCleanup({ views: viewRecords, users }),
  ];
  const workers = work.workers({ actions, cases });
  return { ...server, hits, postLogin, workers, jobs, queues: ALERT_QUEUES };
}

/** Returns where to send requests for routes of components that this process does not run. */
function elsewhere(components: Config['components']) {
  return (path: string): string | undefined => {
    const component = /^\/socket(?:\/|$)/.test(path) ? 'sockets' : 'http';
    if (components.includes(component)) return undefined;
    return `This process runs ${components.join(', ')}. Send the request to a process whose components include ${component}.`;
  };
}
