import type { DescribedQueue } from '../coordination/measured-queues.ts';
import type { Workers } from '../coordination/queue-worker.ts';
import { heuristicDocument } from '../documents/kinds/analysis/heuristic.ts';
import { userDocument } from '../documents/kinds/user.ts';
import { documentationRoutes } from '../http/documentation/documentation-routes.ts';
import { trustedProxyTest } from '../http/input/forwarded-headers.ts';
import { keySetRoutes } from '../http/key-set-routes.ts';
import { operationRoutes } from '../http/operation-routes.ts';
import type { RouteModule } from '../http/route-access.ts';
import { commonSettings, createServiceServer, type ServiceServer } from '../http/service-server.ts';
import { AnalysisApiKeys } from '../identity/keys/analysis-api-keys.ts';
import { DailyCounts, RequestQuota } from '../identity/limits/quota.ts';
import { PermissionRequests } from '../identity/obo/permission-requests.ts';
import type { Job } from '../jobs/job.ts';
import { SearchCursors } from '../search/search-cursors.ts';
import { SearchShares } from '../search/search-shares.ts';
import { accessDenials } from './access-denials.ts';
import { ALERT_EVENTS, routesOfAlerts } from './alerts-resource.ts';
import { analysisGuard } from './analysis-guard.ts';
import { measureAnalysis } from './analysis-metrics.ts';
import { type AnalysisServerDependencies, openAnalysisParts } from './analysis-parts.ts';
import { ANALYSIS_QUEUES } from './analysis-queues.ts';
import { analysisQuota } from './analysis-quota.ts';
import { apiKeyRoutes } from './api-keys/api-key-routes.ts';
import { routesOfArchive } from './archive/archive-resource.ts';
import { absentLoginRoutes, loginRoutes } from './authentication/login-routes.ts';
import { oboTokenRoutes } from './authentication/obo-token-routes.ts';
import { oneTimePasswordRoutes } from './authentication/one-time-password-routes.ts';
import { providerLoginRoutes } from './authentication/provider-login-routes.ts';
import { securityTokenRoutes } from './authentication/security-token-routes.ts';
import { routesOfFiles, routesOfUploads } from './files-resource.ts';
import { helpRoutes } from './help/help-routes.ts';
import { routesOfIngest } from './ingest-resource.ts';
import { routesOfLists } from './lists-resource.ts';
import { liveRoutes } from './live/live-routes.ts';
import { SocketCallers } from './live/sockets/socket-callers.ts';
import { SocketNamespaces } from './live/sockets/socket-namespaces.ts';
import { ANALYSIS_STATUSES, analysisEnvelope, analysisEnvelopeSchema } from './operations/analysis-envelope.ts';
import type { ServiceOverview } from './overview/service-overview.ts';
import { routesOfReading } from './reading-resource.ts';
import { routesOfReplay } from './replay/replay-resource.ts';
import { rootRoutes } from './root/root-routes.ts';
import { heuristicSignatures } from './search/heuristic-signatures.ts';
import { searchRoutes } from './search/search-routes.ts';
import { AnalysisSearch } from './search/search-service.ts';
import { createServiceProtocolServer } from './service-protocol/service-protocol-server.ts';
import { routesOfServices } from './services/service-resource.ts';
import { routesOfSignatures } from './signatures-resource.ts';
import { routesOfSubmit } from './submit-resource.ts';
import { routesOfSystem } from './system-resource.ts';
import { AccountService } from './users/account-service.ts';
import { searchedAccount } from './users/account-view.ts';
import { avatarRoutes, favoriteRoutes } from './users/owned-data-routes.ts';
import { userRoutes } from './users/user-routes.ts';
import { userSettingsRoutes } from './users/user-settings-routes.ts';
import { Whoami } from './users/whoami.ts';

export interface AnalysisServer extends ServiceServer {
  readonly queues: readonly DescribedQueue[];
  /** The work that no request waits for. It does not run until it is started. */
  readonly workers: Workers;
  /** The listener of the workers of analyzers. */
  readonly serviceProtocol: ServiceServer;
  /** Jobs that run by a crontab. */
  readonly jobs: readonly Job[];
  /** State of the services that analyse files. */
  readonly overview: ServiceOverview;
}

const DOCUMENTATION = {
  title: 'Triad analysis',
  description:
    'Files, what they are and what is known of them. Every path of the interface ends with a slash, and does not answer without it.',
  paths: { page: '/help/api', document: '/help/api/openapi.json', script: '/help/api/reference.js' },
  security: {
    schemes: {
      user: { type: 'apiKey', in: 'header', name: 'X-USER', description: 'Name of the user.' },
      apikey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-APIKEY',
        description: '`key name:secret` of one of their API keys.',
      },
      session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Session that a login opened.' },
      xsrf: {
        type: 'apiKey',
        in: 'header',
        name: 'X-XSRF-TOKEN',
        description: 'Value of the cookie `XSRF-TOKEN`. Sessions that were opened with an API key do without it.',
      },
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'Access token of an identity provider, or a token that lets its bearer call on behalf of a user.',
      },
    },
    alternatives: [['user', 'apikey'], ['session', 'xsrf'], ['bearer'], ['user', 'apikey', 'bearer']],
  },
};

/** Creates the server of the analysis service with all its routes. It does not listen yet. */
export function createAnalysisServer(dependencies: AnalysisServerDependencies): AnalysisServer {
  const { version, settings, log, datastore, coordination, users, accounts, avatars, userSettings, favorites } =
    dependencies;
  const parts = openAnalysisParts(dependencies);
  const { classification } = parts;
  const { analysisIdentity: identity, codeLogin } = dependencies;
  const { ui } = settings.analysis;
  const envelope = analysisEnvelope(version);
  const denials = accessDenials(settings);
  const counts = new DailyCounts({ counters: coordination.counters, log });
  const server = createServiceServer({
    log,
    guard: analysisGuard({ identity, denials, settings: ui }),
    quota: settings.ui.enforce_quota
      ? analysisQuota({
          places: new RequestQuota({ counters: coordination.counters, log, name: 'analysis-quota' }),
          counts,
          defaults: ui.default_quotas,
          log,
        })
      : undefined,
    audit: settings.ui.audit,
    envelope,
    statuses: ANALYSIS_STATUSES,
    ...commonSettings(settings.http),
    outage: dependencies.outage,
    publicUrl: settings.analysis.public_url ?? undefined,
    finalSlash: 'required',
  });
  const { routes, metrics } = server;
  measureAnalysis(parts, metrics);
  const signatures = heuristicSignatures({ heuristics: datastore.collection(heuristicDocument), classification });

  const modules: readonly RouteModule[] = [
    operationRoutes({ probes: '/healthz', checks: dependencies.checks, metrics, log }),
    keySetRoutes(dependencies.installationTokens),
    loginRoutes({ identity, codeLogin, settings }),
    providerLoginRoutes({ identity, codeLogin, avatars, settings }),
    absentLoginRoutes,
    securityTokenRoutes(identity),
    oneTimePasswordRoutes(identity),
    oboTokenRoutes({
      permissions: new PermissionRequests({ ownTokens: dependencies.ownTokens, audit: dependencies.auditLog }),
    }),
    apiKeyRoutes({
      apiKeys: new AnalysisApiKeys({ users, settings: settings.auth, audit: dependencies.auditLog }),
      denials,
    }),
    searchRoutes({
      search: new AnalysisSearch({
        scopes: parts.scopes,
        datastore,
        cursors: new SearchCursors(coordination),
        keys: parts.keys,
        showUser: (user) => searchedAccount(user, { quotas: ui.default_quotas, classification }),
      }),
      shares: new SearchShares(),
      signatures,
      denials,
    }),
    helpRoutes({ classification, settings, services: parts.services.registry }),
    userRoutes({
      users,
      collection: datastore.collection(userDocument),
      accounts,
      accountService: new AccountService({
        accounts,
        classification,
        storedClassification: dependencies.classification,
        settings: settings.analysis,
      }),
      avatars,
      whoami: new Whoami({
        users,
        avatars,
        userSettings,
        signatures,
        values: parts.system.values,
        settings,
        classification,
        envelope,
        version,
      }),
      counts,
      classification,
      settings,
    }),
    avatarRoutes({ avatars }),
    favoriteRoutes({ favorites }),
    userSettingsRoutes({ users, userSettings, services: parts.services.registry, classification }),
    liveRoutes({ live: parts.live }),
    ...routesOfAlerts(parts.alerts),
    ...routesOfLists(parts.lists),
    ...routesOfSignatures(parts.signatures),
    ...routesOfSystem(parts.system),
    ...routesOfReading(parts.reading),
    ...routesOfArchive(parts.archive),
    ...routesOfReplay({
      ...{ datastore, coordination, classification, settings },
      ...{ badlist: parts.lists.badlist, safelist: parts.lists.safelist },
      ...{ workflows: parts.alerts.workflows, signatures: parts.signatures.signatures },
    }),
    ...routesOfFiles(parts.fileParts),
    ...routesOfSubmit(parts.submit),
    ...routesOfIngest(parts.ingest),
    ...routesOfServices({ parts: parts.services, datastore, coordination, classification, settings }),
    ...routesOfUploads({
      ...parts.fileParts,
      coordination,
      submit: parts.submit.submit,
      bundles: parts.reading.bundles.imports,
      settings,
    }),
    rootRoutes({ routes, audit: settings.ui.audit, readOnly: ui.read_only }),
    documentationRoutes({ ...DOCUMENTATION, version, envelope: analysisEnvelopeSchema, routes }),
  ];
  for (const register of modules) register(server.app);
  const sockets = new SocketNamespaces(server.app.server, {
    callers: new SocketCallers({ identity, isTrustedProxy: trustedProxyTest(settings.http.trusted_proxies) }),
    events: coordination.events,
    live: parts.live,
    classification,
    alertChannel: ALERT_EVENTS,
    arrivals: server.arrivals,
    log,
  });
  server.app.addHook('preClose', () => sockets.close());
  const serviceProtocol = createServiceProtocolServer({
    ...dependencies,
    ...parts,
    storage: dependencies.files,
    registry: parts.services.registry,
    lookup: parts.lists.lookup,
    similar: parts.lists.similar,
  });
  const { workers, jobs, overview } = parts;
  return { ...server, serviceProtocol, workers, jobs, overview, queues: ANALYSIS_QUEUES };
}
