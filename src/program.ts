import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type AlertsServer, createAlertsServer } from './alerts/alerts-server.ts';
import type { ClassificationEngine } from './classification/classification.ts';
import { openClassification } from './composition/classification-engine.ts';
import { openCoordination, openDatastore } from './composition/open-adapters.ts';
import type { Config } from './config/config.ts';
import type { Coordination } from './coordination/coordination.ts';
import { bootstrapCollections } from './datastore/bootstrap/bootstrap-collections.ts';
import type { Datastore } from './datastore/datastore.ts';
import { demoConfig } from './demo/demo-config.ts';
import { findDemoCredentials } from './demo/demo-credentials.ts';
import { fillDemo } from './demo/fill-demo.ts';
import { ALL_DOCUMENTS } from './documents/all-documents.ts';
import { userDocument } from './documents/user.ts';
import { InvalidInput, NotFound, Unavailable } from './errors/errors.ts';
import type { ServiceServer } from './http/service-server.ts';
import type { Actor } from './identity/actor.ts';
import { ActorFactory } from './identity/actor-factory.ts';
import { Identity } from './identity/identity.ts';
import { UserAccounts } from './identity/user-accounts.ts';
import { UserStore } from './identity/user-store.ts';
import { startLifecycleJob } from './jobs/lifecycle-job.ts';

/** `all`: users, keys and believable records; `users`: users and keys alone. */
export type DemoKind = 'all' | 'users';

export interface ProgramOptions {
  /** Version of the program. */
  readonly version: string;
  readonly logger: Logger;
  /** Fills an empty data folder with what everybody may know. Undefined: nothing is made up. */
  readonly demo?: DemoKind | undefined;
  /** Nothing is kept on disk. Default false. */
  readonly inMemory?: boolean;
  /** Breaks a start off between two steps of it. */
  readonly signal?: AbortSignal | undefined;
}

/** What every part of the program stands on; nothing listens yet. */
export interface Foundation {
  readonly datastore: Datastore;
  readonly coordination: Coordination;
  readonly classification: ClassificationEngine;
  readonly users: UserStore;
  readonly identity: Identity;
  readonly accounts: UserAccounts;
  /** The actor of a user, for commands of whoever has the machine. @throws NotFound `user_missing` */
  actorOf(username: string): Promise<Actor>;
  /** Releases what was opened, the last first. */
  close(): Promise<void>;
}

export interface Program extends Services {
  /** `http://host:port` by listener. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Password of the administrator that this start has made, because there were no users. */
  readonly firstAdministrator: { readonly username: string; readonly password: string } | undefined;
  /** Ends connections whose requests do not finish. */
  cutConnections(): void;
}

/**
 * Opens datastore, coordination and identity as the configuration says.
 * @throws Unavailable as `openDatastore` and `openCoordination`
 */
export async function openFoundation(config: Config, options: ProgramOptions): Promise<Foundation> {
  const { logger } = options;
  const classification = openClassification(config, { demo: options.demo !== undefined });
  const datastore = await openDatastore(config, options);
  let coordination: Coordination;
  try {
    coordination = await openCoordination(config, options);
  } catch (error) {
    await datastore.close();
    throw error;
  }
  const users = new UserStore({ users: datastore.collection(userDocument) });
  const identity = new Identity({ users, coordination, engine: classification, settings: config.auth, log: logger });
  return {
    datastore,
    coordination,
    classification,
    users,
    identity,
    accounts: new UserAccounts({ users, appTokens: identity.appTokens, engine: classification, settings: config.auth }),
    async actorOf(username) {
      const user = await users.get(username);
      if (user === undefined) throw new NotFound('user_missing', `User ${username} does not exist`);
      const { users_without_access_control: usersWithoutAccessControl } = config.auth;
      return new ActorFactory({ engine: classification, usersWithoutAccessControl, log: logger }).actorOf(user, {
        method: 'session',
        privileges: ['R', 'W', 'E'],
        keyName: undefined,
        impersonator: undefined,
      });
    },
    async close() {
      await coordination.close();
      await datastore.close();
    },
  };
}

export interface Services {
  readonly foundation: Foundation;
  readonly alerts: AlertsServer;
  /** Stops accepting, finishes what was begun, releases everything. */
  close(): Promise<void>;
}

/** The services without their listeners: for commands. @throws as `openFoundation` */
export async function openServices(config: Config, options: ProgramOptions): Promise<Services> {
  const foundation = await openFoundation(config, options);
  const { version, logger: log } = options;
  const alerts = createAlertsServer({ ...foundation, version, settings: config, log });
  return {
    foundation,
    alerts,
    async close() {
      await alerts.app.close();
      await foundation.close();
    },
  };
}

/**
 * Starts everything. Resolves when every listener answers, after the line `ready` in the log.
 * @throws InvalidInput `demo_off_loopback` when credentials that everybody knows would be reachable from the network; and as `openFoundation`
 */
export async function startProgram(settings: Config, options: ProgramOptions): Promise<Program> {
  const config = demoConfig(settings, options.demo);
  const open = !LOOPBACK.has(config.host);
  if (open && options.demo !== undefined) throw openDemo(config, 'The demo has');
  const services = await openServices(config, options);
  const { foundation, alerts } = services;
  try {
    const { admin, capabilities } = foundation.datastore;
    const lifecycle = { admin, definitions: ALL_DOCUMENTS, ilm: config.datastore.ilm, logger: options.logger };
    await bootstrapCollections({ ...lifecycle, capabilities, signal: options.signal });
    if (open) await refuseDemoCredentials(config, foundation);
    if (options.demo !== undefined) await addDemo(foundation, options.demo, options.logger);
    const firstAdministrator = await foundation.accounts.createFirstAdministrator();
    const addresses = { alerts: await listen(alerts, config.host, config.alerts.port) };
    const job = capabilities.serverSideLifecycle ? undefined : startLifecycleJob(lifecycle);
    options.logger.info({ addresses }, 'ready');
    return {
      ...services,
      addresses,
      firstAdministrator,
      cutConnections: () => alerts.app.server.closeAllConnections(),
      async close() {
        await job?.stop();
        await services.close();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** Where nobody but this machine can reach it. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** A data folder keeps the demo's users when the program is started without the demo later. */
async function refuseDemoCredentials(config: Config, { users }: Foundation): Promise<void> {
  const found = await findDemoCredentials(users);
  if (found.length > 0) throw openDemo(config, `The demo's users ${found.join(', ')} in ${config.data_folder} have`);
}

function openDemo({ host }: Config, whoHas: string): InvalidInput {
  return new InvalidInput(
    'demo_off_loopback',
    `${whoHas} passwords and keys that everybody knows, so the program listens on loopback only, not on ${host}. Remove the setting host (SVC_HOST), or use a data folder without the demo.`,
    { at: 'host' },
  );
}

async function addDemo(foundation: Foundation, demo: DemoKind, logger: Logger): Promise<void> {
  const filled = await fillDemo(foundation, demo);
  if (filled) logger.info({ demo }, 'the demo was made; every password is the user name');
  else logger.info({ demo }, 'there are users already, so nothing was made up');
}

/** @throws Unavailable `address_unusable` */
async function listen({ app }: ServiceServer, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new Unavailable(
      'address_unusable',
      `The alert service cannot listen on ${host}:${port} (${reason}). Stop what uses the port, or choose another with SVC_ALERTS_PORT.`,
      { cause },
    );
  }
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}
