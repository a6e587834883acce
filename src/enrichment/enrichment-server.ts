import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { ErrorStatuses } from '../http/answers/error-status.ts';
import { howlerEnvelope, howlerEnvelopeSchema } from '../http/answers/howler-envelope.ts';
import { ApplicationList } from '../http/application-list.ts';
import { documentationRoutes } from '../http/documentation/documentation-routes.ts';
import { privilegedGuard } from '../http/guard.ts';
import type { HealthCheck } from '../http/health-checks.ts';
import { keySetRoutes } from '../http/key-set-routes.ts';
import { operationRoutes } from '../http/operation-routes.ts';
import { allowOrigins } from '../http/origins/cross-origin.ts';
import { originTest } from '../http/origins/known-origins.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import { commonSettings, createServiceServer, type ServiceServer } from '../http/service-server.ts';
import type { ServiceName } from '../identity/actor.ts';
import type { AuditLog } from '../identity/audit/audit-log.ts';
import type { EnrichmentIdentity } from '../identity/enrichment-identity.ts';
import type { InstallationTokens } from '../identity/installation-tokens/installation-tokens.ts';
import type { CodeLogin } from '../identity/oauth/code-login.ts';
import type { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import type { ServiceAccount } from '../identity/obo/service-account.ts';
import type { TokenExchange } from '../identity/obo/token-exchange.ts';
import type { Job } from '../jobs/job.ts';
import { configRoutes } from './about/config-routes.ts';
import { helpTextRoutes } from './about/help-text-routes.ts';
import { HelpTexts } from './about/help-texts.ts';
import { rootRoutes } from './about/root-routes.ts';
import { loginRoutes } from './authentication/login-routes.ts';
import { extensionRoutes } from './extensions/extension-routes.ts';
import { Extensions } from './extensions/extensions.ts';
import { extractionRoutes } from './extraction/extraction-routes.ts';
import { ExtractionService } from './extraction/extraction-service.ts';
import { lookupRoutes } from './lookups/lookup-routes.ts';
import { LookupService } from './lookups/lookup-service.ts';
import { typeRoutes } from './lookups/type-routes.ts';
import { actionRoutes } from './offers/actions/action-routes.ts';
import { ActionService } from './offers/actions/action-service.ts';
import { fetcherRoutes } from './offers/fetchers/fetcher-routes.ts';
import { FetcherService } from './offers/fetchers/fetcher-service.ts';
import { openOwnSources } from './own-sources/open-own-sources.ts';
import { registeredSources } from './registration/registered-sources.ts';
import { registrationRoutes } from './registration/registration-routes.ts';
import { SourceRegistry } from './registration/source-registry.ts';
import { addOwnSources } from './sources/add-own-sources.ts';
import { SourceCredentials } from './sources/credentials/credentials.ts';
import { openSourceDirectory } from './sources/open-source-directory.ts';
import type { SourceSettings } from './sources/source-settings.ts';
import { auditCalls } from './status/call-audit.ts';
import { LimitedSources } from './status/limited-sources.ts';
import { publicLabel } from './status/public-label.ts';
import { addSourceMetrics, latencyHistogram } from './status/source-metrics.ts';
import { sourceRoutes } from './status/source-routes.ts';

/** Statuses that clients of the enrichment service rely on, in place of those of the kind of error. */
export const ENRICHMENT_STATUSES: ErrorStatuses = { action_failed: 500 };

export interface EnrichmentServerDependencies {
  /** Version of the program, `api_server_version` of every answer. */
  readonly version: string;
  readonly settings: Config;
  readonly log: Log;
  readonly coordination: Coordination;
  readonly checks: readonly HealthCheck[];
  /** Default: none. */
  readonly extensions?: Extensions;
  readonly outage?: () => Error | undefined;
  readonly classification: ClassificationEngine;
  /** Gets a line for each call to a source. */
  readonly auditLog: AuditLog;
  readonly enrichmentIdentity: EnrichmentIdentity;
  readonly installationTokens: Pick<InstallationTokens, 'issue' | 'keySet'>;
  readonly enrichmentExchange: Pick<TokenExchange, 'exchange'>;
  readonly serviceAccount: Pick<ServiceAccount, 'token'>;
  readonly registry: ProviderRegistry;
  readonly codeLogin: CodeLogin;
  /** Returns the address at which a service of this process listens; undefined before it does. */
  readonly addressOf: (service: ServiceName) => string | undefined;
}

export interface EnrichmentServer extends ServiceServer {
  readonly jobs: readonly Job[];
}

const DOCUMENTATION = {
  title: 'Triad enrichment',
  description:
    'What sources know of addresses, domains, hashes and more. Every path answers with and without its final slash.',
  security: {
    schemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'Access token of an identity provider: the `app_token` of a login.',
      },
      key: { type: 'http', scheme: 'basic', description: '`key name:secret` of a key in the settings, not of a user.' },
      app_token: {
        type: 'http',
        scheme: 'bearer',
        description: '`<user>:<app token>` of a login at the alert service.',
      },
      account_key: { type: 'http', scheme: 'basic', description: '`user:key name:secret` of the API key of a user.' },
      key_user: { type: 'apiKey', in: 'header', name: 'X-USER', description: 'The owner of the API key.' },
      key_secret: { type: 'apiKey', in: 'header', name: 'X-APIKEY', description: '`key name:secret` of the API key.' },
      user: {
        type: 'apiKey',
        in: 'header',
        name: 'X-USERID',
        description: 'The user for whom the program with the key calls.',
      },
      classification: { type: 'apiKey', in: 'header', name: 'X-CLASSIFICATION', description: 'Their classification.' },
    },
    alternatives: [
      ['bearer'],
      ['key', 'user', 'classification'],
      ['app_token'],
      ['account_key'],
      ['key_user', 'key_secret'],
    ],
  },
};

/**
 * The enrichment service: its server with the routes of every resource, not yet listening.
 * @throws InvalidInput `invalid_setting` for an invalid expression of `enrichment.cors_origins`, or an invalid source
 */
export function createEnrichmentServer(dependencies: EnrichmentServerDependencies): EnrichmentServer {
  // Without enforcement nothing has a classification here, as clients expect (contract/enrichment.md section 2.4).
  const classification = dependencies.classification.whenNotEnforced('unrestricted');
  const { version, settings, log, registry, extensions = new Extensions([]) } = dependencies;
  const { audit } = settings.ui;
  const envelope = howlerEnvelope(version, { nullData: 'left_out' });
  const server = createServiceServer({
    log,
    guard: privilegedGuard(dependencies.enrichmentIdentity),
    // As in the public system, only calls to certain sources have a quota.
    quota: undefined,
    audit,
    envelope,
    ...commonSettings(settings.http),
    outage: dependencies.outage,
    publicUrl: settings.enrichment.public_url ?? undefined,
    finalSlash: 'ignored',
    statuses: ENRICHMENT_STATUSES,
  });
  const { app, routes, metrics } = server;
  const isKnownOrigin = originTest(settings.enrichment.cors_origins, 'enrichment.cors_origins');
  allowOrigins(app, { isAllowed: isKnownOrigin, below: '/api/' });
  const applications = new ApplicationList({
    address: settings.enrichment.discover_url,
    setting: 'enrichment.discover_url',
    own: 'clue',
    log,
  });
  app.addHook('onReady', async () => applications.prepare());

  const labelOf = (source: SourceSettings) => publicLabel(source, classification);
  const observe = latencyHistogram(metrics);
  const limited = new LimitedSources({
    targets: settings.enrichment.obo_targets,
    coordination: dependencies.coordination,
    log,
    onAnswer: (source, seconds) => observe(labelOf(source), seconds),
  });
  const supportedTypes = extensions.types;
  const problemOf = (type: string, value: string) => supportedTypes.problemOf(type, value);
  const own = openOwnSources({ ...dependencies, engine: classification });
  const directoryDependencies = {
    engine: classification,
    supportedTypes,
    credentials: new SourceCredentials({
      exchange: dependencies.enrichmentExchange,
      serviceAccount: dependencies.serviceAccount,
      installationTokens: dependencies.installationTokens,
      targets: settings.enrichment.obo_targets,
      propagate: settings.auth.propagate_clue_key,
    }),
    limitsOf: (source: SourceSettings) => limited.create(source),
    onCall: auditCalls(dependencies.auditLog),
    log,
  };
  const { external_sources: configured } = settings.enrichment;
  const sources = openSourceDirectory(configured, directoryDependencies, own.taken);
  addOwnSources(own.sources, { directory: sources, supportedTypes, engine: classification });
  addSourceMetrics({ metrics, sources, limited, labelOf });
  for (const { addMetrics } of own.sources) addMetrics?.(metrics);
  app.addHook('onReady', async () => {
    for (const source of own.sources) source.start?.();
  });
  app.addHook('onClose', async () => {
    await sources.close();
    await Promise.all(own.sources.map((source) => source.close?.()));
  });
  const offers = { sources, engine: classification, languages: settings.enrichment.languages, log };
  const addresses = { privateAddresses: settings.enrichment.registration.private_addresses };
  const sourceRegistry = new SourceRegistry({
    coordination: dependencies.coordination,
    sources: registeredSources({ sources, engine: classification, addresses, reserved: own.reserved }),
    engine: classification,
    addresses,
    log,
  });
  app.addHook('onReady', () => sourceRegistry.start());
  app.addHook('onClose', () => sourceRegistry.stop());
  const modules: readonly RouteModule[] = [
    operationRoutes({ probes: '/healthz', checks: [...dependencies.checks, ...extensions.checks], metrics, log }),
    keySetRoutes(dependencies.installationTokens),
    rootRoutes({ routes, audit, envelope }),
    loginRoutes({
      codeLogin: dependencies.codeLogin,
      classification,
      redirectOrigins: settings.auth.oauth.redirect_origins,
      isKnownOrigin,
    }),
    configRoutes({
      settings,
      classification,
      version,
      loginProviders: registry
        .all()
        .filter((provider) => provider.client('enrichment').clientSecret !== undefined)
        .map(({ name }) => name),
      applications,
    }),
    typeRoutes({ sources, supportedTypes }),
    sourceRoutes({ sources, limited, own: own.sources }),
    lookupRoutes({
      lookups: new LookupService({ directory: sources }),
      engine: classification,
      refuseValue: (type, value) => supportedTypes.problemOf(type, value),
    }),
    extractionRoutes({ extraction: new ExtractionService({ log }) }),
    actionRoutes({ actions: new ActionService(offers) }),
    fetcherRoutes({ fetchers: new FetcherService({ ...offers, problemOf }) }),
    registrationRoutes({ registry: sourceRegistry, auditLog: dependencies.auditLog }),
    helpTextRoutes({ texts: new HelpTexts(settings.enrichment.documentation_folder) }),
    // Registered last, so that extensions cannot take the names of other routes.
    extensionRoutes({ extensions, routes, envelope }),
    documentationRoutes({ ...DOCUMENTATION, version, envelope: howlerEnvelopeSchema, routes }),
  ];
  for (const register of modules) register(app);
  return { ...server, jobs: own.jobs };
}
