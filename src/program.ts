import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createAlertsServer } from './alerts/alerts-server.ts';
import { createAnalysisServer } from './analysis/analysis-server.ts';
import { openUserOwnedData } from './analysis/users/user-owned-data.ts';
import { openClassification } from './composition/classification-engine.ts';
import { DataFolderWatch } from './composition/data-folder.ts';
import { openCoordination, openDatastore, openFileStorage } from './composition/open-adapters.ts';
import { openIdentity } from './composition/open-identity.ts';
import type { Config } from './config/config.ts';
import { COMPONENTS } from './config/config-schema.ts';
import { bootstrapCollections } from './datastore/bootstrap/bootstrap-collections.ts';
import { demoConfig } from './demo/demo-config.ts';
import { findDemoCredentials } from './demo/demo-credentials.ts';
import { fillDemo } from './demo/fill-demo.ts';
import { documentsInUse } from './documents/all-documents.ts';
import { userDocument } from './documents/kinds/user.ts';
import { userPreferencesDocument } from './documents/kinds/user-records.ts';
import { createEnrichmentServer } from './enrichment/enrichment-server.ts';
import { Extensions } from './enrichment/extensions/extensions.ts';
import { InvalidInput, Unavailable } from './errors/errors.ts';
import { portChecks } from './http/operation-routes.ts';
import type { ServiceServer } from './http/service-server.ts';
import { PreferencesService } from './identity/accounts/preferences-service.ts';
import { UserAccounts } from './identity/accounts/user-accounts.ts';
import { type Actor, PASSWORD_PRIVILEGES, SERVICES, type ServiceName } from './identity/actor.ts';
import type { AuditLog } from './identity/audit/audit-log.ts';
import { openAuditLog } from './identity/audit/open-audit-log.ts';
import { UserStore, userMissing } from './identity/user-store.ts';
import { JobRecords } from './jobs/job-records.ts';
import { JobScheduler } from './jobs/job-scheduler.ts';
import { jobSchedules } from './jobs/job-schedules.ts';
import { lifecycleJob } from './jobs/lifecycle-job.ts';
import { createOperationsServer } from './operations/operations-server.ts';
import { createWebServer } from './web/web-server.ts';

/** `all`: users, keys and believable records; `users`: users and keys alone. */
export type DemoKind = 'all' | 'users';

export interface ProgramOptions {
  /** Version of the program. */
  readonly version: string;
  readonly logger: Logger;
  /** Fills an empty data folder with publicly known demo data. Undefined: the folder is not filled. */
  readonly demo?: DemoKind | undefined;
  /** Nothing is kept on disk. Default false. */
  readonly inMemory?: boolean;
  /** Gets the security events instead of what the settings `audit` say. */
  readonly audit?: AuditLog | undefined;
  /** Extensions of the enrichment service, loaded before. Default: none. */
  readonly extensions?: Extensions | undefined;
  /** Breaks a start off between two steps of it. */
  readonly signal?: AbortSignal | undefined;
}

/** The dependencies of all components of the program, before it listens. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** The services without their listeners. */
export type Services = Awaited<ReturnType<typeof openServices>>;

export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Opens what the configuration names. @throws as the functions of `composition/open-adapters.ts` */
export async function openFoundation(config: Config, options: ProgramOptions) {
  const { logger } = options;
  await using opening = new AsyncDisposableStack();
  const datastore = opening.adopt(await openDatastore(config, options), (one) => one.close());
  const classificationRecord = await openClassification(config, datastore, { demo: options.demo !== undefined });
  const classification = classificationRecord.engine;
  const coordination = opening.adopt(await openCoordination(config, options), (one) => one.close());
  const files = opening.adopt(await openFileStorage(config, options), (one) => one.close());
  const auditLog = options.audit ?? opening.adopt(await openAuditLog(config, { log: logger }), (one) => one.close());
  const users = new UserStore({ users: datastore.collection(userDocument) });
  const identityContext = openIdentity({
    config,
    users,
    coordination,
    classification,
    audit: auditLog,
    log: logger,
    exchangers: options.extensions?.exchangers ?? [],
  });
  const folderWatch = await DataFolderWatch.open(config, options);
  const belongings = openUserOwnedData({ datastore, classification, settings: config.analysis });
  const preferences = new PreferencesService({ stored: datastore.collection(userPreferencesDocument) });
  const opened = opening.move();
  return {
    ...identityContext,
    ...belongings,
    preferences,
    datastore,
    coordination,
    files,
    classification,
    classificationRecord,
    checks: [
      ...portChecks({ datastore, coordination }),
      { name: 'files', degrades: true, health: () => files.health() },
      { name: 'classification', health: () => classificationRecord.health() },
      ...(folderWatch === undefined ? [] : [{ name: 'data_folder', health: () => folderWatch.health() }]),
    ],
    folderWatch,
    /** Returns the error of every request, while no service can work. */
    outage: () => folderWatch?.outage,
    users,
    auditLog,
    accounts: new UserAccounts({
      users,
      appTokens: identityContext.identity.appTokens,
      engine: classification,
      settings: config.auth,
      audit: auditLog,
      belongings: [...Object.values(belongings), preferences],
    }),
    /** Returns the actor of a user, for commands on the machine. @throws NotFound `user_missing` */
    async actorOf(username: string): Promise<Actor> {
      const user = await users.get(username);
      if (user === undefined) throw userMissing(username);
      const { actors } = identityContext.identity.table;
      return actors.actorOf({ user, method: 'session', privileges: PASSWORD_PRIVILEGES });
    },
    /** Releases what was opened, the last first. */
    close: () => opened.disposeAsync(),
  };
}

/** Opens the services without their listeners, for commands. @throws as `openFoundation` */
export async function openServices(config: Config, options: ProgramOptions) {
  const foundation = await openFoundation(config, options);
  const { version, logger: log } = options;
  const { extensions = new Extensions([]) } = options;
  /** `http://host:port` by listener. */
  const addresses: Record<string, string> = {};
  const addressOf = (service: ServiceName) => addresses[service];
  const parts = { ...foundation, version, settings: config, log, extensions, addressOf };
  const alerts = createAlertsServer(parts);
  const analysis = createAnalysisServer(parts);
  const enrichment = createEnrichmentServer(parts);
  const jobRecords = new JobRecords(foundation.coordination, log);
  const jobs = openJobs(config, foundation, { alerts, analysis, enrichment, jobRecords }, log);
  const operations = createOperationsServer({
    ...parts,
    checks: [...foundation.checks, ...extensions.checks],
    scheduler: jobs,
    jobRecords,
    queues: [...alerts.queues, ...analysis.queues],
    createDemoAlerts: async () => {
      const { createDemoAlertRecords } = await import('./demo/demo-records.ts');
      await createDemoAlertRecords({ ...foundation, now: new Date() });
    },
  });
  const web = createWebServer({
    ...parts,
    services: { alerts, analysis, enrichment, operations },
    signedIn: (arrival) => alerts.postLogin.run(arrival),
    addresses: (host) => programAddresses(config, addresses, host),
  });
  return {
    foundation,
    alerts,
    analysis,
    enrichment,
    operations,
    web,
    jobs,
    addresses,
    /** Stops accepting, finishes what was begun, releases everything. */
    async close(): Promise<void> {
      // It passes requests to the others.
      await web.app.close();
      const servers = [alerts, analysis, analysis.serviceProtocol, enrichment, operations];
      const closing = servers.map(({ app }) => app.close());
      const workers = [alerts.workers.stop(), analysis.workers.stop()];
      await Promise.all([jobs.stop(), ...workers, foundation.folderWatch?.stop(), ...closing]);
      await extensions.close();
      await foundation.close();
    },
  };
}

/**
 * Starts all services; resolves when every listener is ready, after the line `ready` in the log.
 * @throws as `openFoundation`; InvalidInput `demo_off_loopback` when the network could reach publicly known credentials
 */
export async function startProgram(settings: Config, options: ProgramOptions) {
  const config = demoConfig(settings, options.demo, options.inMemory !== true);
  const open = !LOOPBACK.has(config.host);
  if (open && options.demo !== undefined) throw openDemo(config, 'The demo has');
  const { version, logger: log } = options;
  const extensions = await Extensions.load({
    // Other processes serve nothing that an extension could add to.
    names: config.components.includes('http') ? config.core.extensions : [],
    folder: config.extension_folder,
    version,
    log,
  });
  let services: Services;
  try {
    services = await openServices(config, { ...options, extensions });
  } catch (error) {
    await extensions.close();
    throw error;
  }
  const { foundation } = services;
  try {
    const { admin, capabilities } = foundation.datastore;
    const lifecycle = { admin, definitions: documentsInUse(config), ilm: config.datastore.ilm, logger: options.logger };
    await bootstrapCollections({ ...lifecycle, capabilities, signal: options.signal });
    await foundation.classificationRecord.claim();
    if (open) await rejectDemoCredentials(config, foundation);
    if (options.demo !== undefined) await addDemo(foundation, options.demo, options.logger);
    const { addresses } = services;
    const { components } = config;
    reportMissing(config, options.logger);
    const isServing = components.includes('http');
    // Health checks and metrics of every process are on the port of the alert service.
    const listening = isServing ? SERVICES : (['alerts'] as const);
    for (const service of listening) addresses[service] = await listen(services[service], service, config);
    if (isServing) {
      addresses.services = await listen(services.analysis.serviceProtocol, 'services', config);
      // Reached through the web listener alone.
      await services.operations.app.ready();
      addresses.web = await listen(services.web, 'web', config);
    }
    // Whose password is shown once: not by a start that still can fail, because a port is taken.
    const firstAdministrator = isServing ? await foundation.accounts.createFirstAdministrator() : undefined;
    if (firstAdministrator !== undefined) {
      // Its password is shown all the same.
      const remembering = services.operations.firstSteps.remember(firstAdministrator.username);
      await remembering.catch((err: unknown) =>
        options.logger.warn({ err }, 'the first administrator is not recorded'),
      );
    }
    if (components.includes('jobs')) services.jobs.start();
    foundation.folderWatch?.start();
    if (components.includes('workers')) for (const { workers } of [services.alerts, services.analysis]) workers.start();
    options.logger.info({ addresses, components }, 'ready');
    return {
      ...services,
      /** Made by this start, because there were no users. */
      firstAdministrator,
      /** Returns the names of demo users whose publicly known password or key is still valid. */
      demoUsers: () => findDemoCredentials(foundation.users),
      /** Ends connections whose requests do not finish. */
      cutConnections() {
        for (const service of SERVICES) services[service].app.server.closeAllConnections();
        services.analysis.serviceProtocol.app.server.closeAllConnections();
        services.web.app.server.closeAllConnections();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** Warns of components that run nowhere, because no other process can share an embedded engine. */
function reportMissing({ components, datastore, coordination }: Config, logger: Logger): void {
  const missing = COMPONENTS.filter((component) => !components.includes(component));
  const isShared = datastore.type !== 'embedded' && coordination.type !== 'embedded';
  if (missing.length === 0 || isShared) return;
  const reason = 'other processes need a search engine and Redis to share this installation';
  logger.warn({ missing }, `${missing.join(', ')} (setting components) do not run: ${reason}`);
}

/** Opens the jobs of all components, not yet started. */
function openJobs(
  config: Config,
  { datastore, coordination }: Foundation,
  {
    alerts,
    analysis,
    enrichment,
    jobRecords,
  }: Pick<Services, 'alerts' | 'analysis' | 'enrichment'> & { readonly jobRecords: JobRecords },
  logger: Logger,
): JobScheduler {
  const { admin, capabilities } = datastore;
  const { ilm } = config.datastore;
  const lifecycle = lifecycleJob({ admin, definitions: documentsInUse(config), ilm, logger });
  const { metrics } = alerts;
  return new JobScheduler({
    jobs: [
      ...alerts.jobs,
      ...analysis.jobs,
      ...enrichment.jobs,
      ...(capabilities.serverSideLifecycle ? [] : [lifecycle]),
    ],
    schedules: jobSchedules(config),
    coordination,
    records: jobRecords,
    counters: {
      runs: metrics.counter('job_runs_total', 'Runs of jobs, by their outcome.', ['job', 'outcome']),
      changed: metrics.counter('job_changes_total', 'Documents and indices that jobs changed.', ['job']),
      seconds: metrics.counter('job_seconds_total', 'Seconds that jobs ran.', ['job']),
    },
    log: logger,
  });
}

/** Names of the listeners; `services` is that of the workers of analyzers. */
const LISTENERS: Readonly<Record<ServiceName | 'services' | 'web', string>> = {
  alerts: 'alert service',
  analysis: 'analysis service',
  enrichment: 'enrichment service',
  services: 'protocol for analyzers',
  web: 'web interface',
};

/** Returns the address of each service for programs: its own public URL, else where it listens. */
function programAddresses(
  config: Config,
  addresses: Readonly<Record<string, string>>,
  host: string,
): Record<string, string> {
  const shared = config.http.public_url;
  return Object.fromEntries(
    SERVICES.map((service) => {
      const own = config[service].public_url;
      if (own !== null && own !== shared) return [service, own];
      const address = addresses[service] ?? '';
      // A listener of every address is reached at the one that the browser uses.
      const isOfAll = config.host === '0.0.0.0' || config.host === '::';
      return [service, isOfAll ? address.replace(/(?<=^http:\/\/).*(?=:\d+$)/, host) : address];
    }),
  );
}

/** Hosts that only this machine can reach. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** A data folder keeps the demo's users when the program is started without the demo later. */
async function rejectDemoCredentials(config: Config, { users }: Foundation): Promise<void> {
  const found = await findDemoCredentials(users);
  if (found.length > 0) throw openDemo(config, `The demo's users ${found.join(', ')} in ${config.data_folder} have`);
}

function openDemo({ host }: Config, whoHas: string): InvalidInput {
  return new InvalidInput(
    'demo_off_loopback',
    `${whoHas} publicly known passwords and keys, so the program listens on loopback only, not on ${host}. Remove the setting host (SVC_HOST), or use a data folder without the demo.`,
    { at: 'host' },
  );
}

async function addDemo(foundation: Foundation, demo: DemoKind, logger: Logger): Promise<void> {
  const filled = await fillDemo(foundation, demo);
  if (filled) logger.info({ demo }, 'the demo was made; every password is the user name');
  else logger.info({ demo }, 'there are users already, so nothing was made up');
}

/** @throws Unavailable `address_unusable` */
async function listen({ app }: ServiceServer, service: keyof typeof LISTENERS, config: Config): Promise<string> {
  const { host } = config;
  const { port } = config[service];
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new Unavailable(
      'address_unusable',
      `The ${LISTENERS[service]} cannot listen on ${host}:${port} (${reason}). Stop what uses the port, or choose another with SVC_${service.toUpperCase()}_PORT.`,
      { cause },
    );
  }
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}
