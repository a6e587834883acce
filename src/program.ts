import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type AlertsServer, createAlertsServer } from './alerts/alerts-server.ts';
import { createAnalysisServer } from './analysis/analysis-server.ts';
import { openUserOwnedData, type UserOwnedData } from './analysis/users/user-owned-data.ts';
import type { ClassificationEngine } from './classification/classification.ts';
import { type ClassificationRecord, openClassification } from './composition/classification-engine.ts';
import { DataFolderWatch } from './composition/data-folder.ts';
import { openCoordination, openDatastore, openFileStorage } from './composition/open-adapters.ts';
import { type IdentityContext, openIdentity } from './composition/open-identity.ts';
import type { Config } from './config/config.ts';
import type { Coordination } from './coordination/coordination.ts';
import { bootstrapCollections } from './datastore/bootstrap/bootstrap-collections.ts';
import type { Datastore } from './datastore/port/datastore.ts';
import { demoConfig } from './demo/demo-config.ts';
import { findDemoCredentials } from './demo/demo-credentials.ts';
import { fillDemo } from './demo/fill-demo.ts';
import { ALL_DOCUMENTS } from './documents/all-documents.ts';
import { userDocument } from './documents/kinds/user.ts';
import { createEnrichmentServer } from './enrichment/enrichment-server.ts';
import { InvalidInput, Unavailable } from './errors/errors.ts';
import type { FileStorage } from './file-storage/file-storage.ts';
import { type HealthCheck, portChecks } from './http/operation-routes.ts';
import type { ServiceServer } from './http/service-server.ts';
import { UserAccounts } from './identity/accounts/user-accounts.ts';
import { type Actor, PASSWORD_PRIVILEGES, SERVICES, type ServiceName } from './identity/actor.ts';
import type { AuditLog } from './identity/audit/audit-log.ts';
import { openAuditLog } from './identity/audit/open-audit-log.ts';
import { UserStore, userMissing } from './identity/user-store.ts';
import { startLifecycleJob } from './jobs/lifecycle-job.ts';

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
  /** Breaks a start off between two steps of it. */
  readonly signal?: AbortSignal | undefined;
}

/** The dependencies of all components of the program, before it listens. */
export interface Foundation extends IdentityContext, UserOwnedData {
  readonly datastore: Datastore;
  readonly coordination: Coordination;
  readonly files: FileStorage;
  readonly classification: ClassificationEngine;
  readonly classificationRecord: ClassificationRecord;
  /** For the health routes of every service. */
  readonly checks: readonly HealthCheck[];
  /** Undefined: nothing is in the data folder. */
  readonly folderWatch: DataFolderWatch | undefined;
  /** The error of every request, while no service can work. */
  readonly outage: () => Error | undefined;
  readonly users: UserStore;
  readonly accounts: UserAccounts;
  readonly auditLog: AuditLog;
  /**
   * Returns the actor of a user, for commands on the machine.
   * @throws NotFound `user_missing`
   */
  actorOf(username: string): Promise<Actor>;
  /** Releases what was opened, the last first. */
  close(): Promise<void>;
}

export interface Program extends Services {
  /** `http://host:port` by listener. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Password of the administrator that this start has made, because there were no users. */
  readonly firstAdministrator: { readonly username: string; readonly password: string } | undefined;
  /** Returns the names of demo users whose publicly known password or key is still valid. */
  demoUsers(): Promise<readonly string[]>;
  /** Ends connections whose requests do not finish. */
  cutConnections(): void;
}

/**
 * Opens datastore, coordination, file storage and identity as the configuration says.
 * @throws Unavailable and InvalidInput as the functions of `composition/open-adapters.ts`
 */
export async function openFoundation(config: Config, options: ProgramOptions): Promise<Foundation> {
  const { logger } = options;
  await using opening = new AsyncDisposableStack();
  const datastore = opening.adopt(await openDatastore(config, options), (one) => one.close());
  const classificationRecord = await openClassification(config, datastore, { demo: options.demo !== undefined });
  const classification = classificationRecord.engine;
  const coordination = opening.adopt(await openCoordination(config, options), (one) => one.close());
  const files = opening.adopt(await openFileStorage(config, options), (one) => one.close());
  const auditLog = options.audit ?? opening.adopt(await openAuditLog(config, { log: logger }), (one) => one.close());
  const users = new UserStore({ users: datastore.collection(userDocument) });
  const identityContext = openIdentity({ config, users, coordination, classification, audit: auditLog, log: logger });
  const folderWatch = await DataFolderWatch.open(config, options);
  const belongings = openUserOwnedData({ datastore, classification, settings: config.analysis });
  const opened = opening.move();
  return {
    ...identityContext,
    ...belongings,
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
    outage: () => folderWatch?.outage,
    users,
    auditLog,
    accounts: new UserAccounts({
      users,
      appTokens: identityContext.identity.appTokens,
      engine: classification,
      settings: config.auth,
      audit: auditLog,
      belongings: Object.values(belongings),
    }),
    async actorOf(username) {
      const user = await users.get(username);
      if (user === undefined) throw userMissing(username);
      return identityContext.identity.table.actors.actorOf({
        user,
        method: 'session',
        privileges: PASSWORD_PRIVILEGES,
      });
    },
    close: () => opened.disposeAsync(),
  };
}

export interface Services {
  readonly foundation: Foundation;
  readonly alerts: AlertsServer;
  readonly analysis: ServiceServer;
  readonly enrichment: ServiceServer;
  /** Stops accepting, finishes what was begun, releases everything. */
  close(): Promise<void>;
}

/** The services without their listeners: for commands. @throws as `openFoundation` */
export async function openServices(config: Config, options: ProgramOptions): Promise<Services> {
  const foundation = await openFoundation(config, options);
  const { version, logger: log } = options;
  const parts = { ...foundation, version, settings: config, log };
  const alerts = createAlertsServer(parts);
  const analysis = createAnalysisServer(parts);
  const enrichment = createEnrichmentServer(parts);
  return {
    foundation,
    alerts,
    analysis,
    enrichment,
    async close() {
      await Promise.all([alerts, analysis, enrichment].map(({ app }) => app.close()));
      await foundation.close();
    },
  };
}

/**
 * Starts all services. Resolves when every listener is ready, after the line `ready` in the log.
 * @throws InvalidInput `demo_off_loopback` when publicly known credentials would be reachable from the network; and as
 * `openFoundation`
 */
export async function startProgram(settings: Config, options: ProgramOptions): Promise<Program> {
  const config = demoConfig(settings, options.demo);
  const open = !LOOPBACK.has(config.host);
  if (open && options.demo !== undefined) throw openDemo(config, 'The demo has');
  const services = await openServices(config, options);
  const { foundation } = services;
  try {
    const { admin, capabilities } = foundation.datastore;
    const lifecycle = { admin, definitions: ALL_DOCUMENTS, ilm: config.datastore.ilm, logger: options.logger };
    await bootstrapCollections({ ...lifecycle, capabilities, signal: options.signal });
    await foundation.classificationRecord.claim();
    if (open) await rejectDemoCredentials(config, foundation);
    if (options.demo !== undefined) await addDemo(foundation, options.demo, options.logger);
    const addresses = await listenAll(services, config);
    // Whose password is shown once: not by a start that still can fail, because a port is taken.
    const firstAdministrator = await foundation.accounts.createFirstAdministrator();
    const job = capabilities.serverSideLifecycle ? undefined : startLifecycleJob(lifecycle);
    foundation.folderWatch?.start();
    options.logger.info({ addresses }, 'ready');
    return {
      ...services,
      addresses,
      firstAdministrator,
      demoUsers: () => findDemoCredentials(foundation.users),
      cutConnections() {
        for (const service of SERVICES) services[service].app.server.closeAllConnections();
      },
      async close() {
        await job?.stop();
        await foundation.folderWatch?.stop();
        await services.close();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}

const SERVICE_NAMES: Readonly<Record<ServiceName, string>> = {
  alerts: 'alert',
  analysis: 'analysis',
  enrichment: 'enrichment',
};

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

async function listenAll(services: Services, config: Config): Promise<Record<ServiceName, string>> {
  const addresses: Partial<Record<ServiceName, string>> = {};
  for (const service of SERVICES) addresses[service] = await listen(services[service], service, config);
  return addresses as Record<ServiceName, string>;
}

/** @throws Unavailable `address_unusable` */
async function listen({ app }: ServiceServer, service: ServiceName, config: Config): Promise<string> {
  const { host } = config;
  const { port } = config[service];
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new Unavailable(
      'address_unusable',
      `The ${SERVICE_NAMES[service]} service cannot listen on ${host}:${port} (${reason}). Stop what uses the port, or choose another with SVC_${service.toUpperCase()}_PORT.`,
      { cause },
    );
  }
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}
