import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { type AlertsServer, createAlertsServer } from './alerts/alerts-server.ts';
import { DEMO_CLASSIFICATION } from './classification/builtin-definitions.ts';
import { type ClassificationEngine, loadClassification } from './classification/classification.ts';
import type { Config } from './config/config.ts';
import type { Coordination } from './coordination/coordination.ts';
import { openEmbeddedCoordination } from './coordination/embedded/embedded-coordination.ts';
import type { Datastore } from './datastore/datastore.ts';
import { openEmbeddedDatastore } from './datastore/embedded/embedded-datastore.ts';
import { takeMigrationTurn } from './datastore/embedded/migration-turn.ts';
import { demoConfig } from './demo/demo-config.ts';
import { findDemoCredentials } from './demo/demo-credentials.ts';
import { fillDemo } from './demo/fill-demo.ts';
import { userDocument } from './documents/user.ts';
import { InvalidInput, isTriadError, NotFound, Unavailable, Unsupported } from './errors/errors.ts';
import type { ServiceServer } from './http/service-server.ts';
import type { Actor } from './identity/actor.ts';
import { ActorFactory } from './identity/actor-factory.ts';
import { Identity } from './identity/identity.ts';
import { UserAccounts } from './identity/user-accounts.ts';
import { UserStore } from './identity/user-store.ts';

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

export interface AdapterOptions {
  readonly logger: Logger;
  /** Nothing is kept on disk. Default false. */
  readonly inMemory?: boolean;
}

/**
 * The datastore alone, as the configuration says: for commands that need nothing else.
 * @throws Unavailable when the data folder cannot be used, `data_folder_in_use` when another process has it
 * @throws Unsupported `unsupported_setting` for adapters that this version does not have
 */
export async function openDatastore({ datastore, data_folder }: Config, options: AdapterOptions): Promise<Datastore> {
  if (datastore.type !== 'embedded') throw unsupportedSetting('datastore.type', datastore.type);
  const folder = await dataFolder(data_folder, options);
  return openEmbeddedDatastore({ folder, prefix: datastore.index_prefix, logger: options.logger });
}

/** What migrations stand on. */
export interface MigrationGround {
  readonly datastore: Datastore;
  readonly classification: ClassificationEngine;
  close(): Promise<void>;
}

/**
 * Opens the datastore for a migration runner. On the embedded engine, whose folder belongs to one process, it waits for the turn of
 * another runner to end, as long as `migration.wait_timeout` says.
 * @throws Unavailable `migration_wait_timeout`; `data_folder_in_use` when the program itself runs; as `openDatastore`; `signal.reason`
 */
export async function openMigrationGround(
  config: Config,
  options: AdapterOptions & { readonly onWait: () => void; readonly signal: AbortSignal },
): Promise<MigrationGround> {
  const classification = loadEngine(config, undefined);
  const turn = config.datastore.type === 'embedded' ? await migrationTurn(config, options) : undefined;
  try {
    const datastore = await openDatastore(config, options);
    return {
      datastore,
      classification,
      async close() {
        try {
          await datastore.close();
        } finally {
          turn?.release();
        }
      },
    };
  } catch (error) {
    turn?.release();
    if (turn === undefined || !isTriadError(error) || error.code !== 'data_folder_in_use') throw error;
    throw new Unavailable(
      'data_folder_in_use',
      `The data folder ${config.data_folder} is in use by a process that is no migration runner, such as the program that serves. Stop it while data is migrated.`,
      { cause: error },
    );
  }
}

async function migrationTurn(
  { data_folder, migration }: Config,
  options: AdapterOptions & { readonly onWait: () => void; readonly signal: AbortSignal },
): Promise<{ release(): void }> {
  return takeMigrationTurn(await dataFolder(data_folder, options), {
    timeout: migration.wait_timeout * 1000,
    pollInterval: migration.poll_interval * 1000,
    signal: options.signal,
    onWait: options.onWait,
  });
}

async function openCoordination({ coordination, data_folder }: Config, options: AdapterOptions): Promise<Coordination> {
  if (coordination.type !== 'embedded') throw unsupportedSetting('coordination.type', coordination.type);
  return openEmbeddedCoordination({ folder: await dataFolder(data_folder, options), logger: options.logger });
}

async function dataFolder(setting: string, { inMemory }: AdapterOptions): Promise<string> {
  if (inMemory === true) return 'memory';
  const folder = resolve(setting);
  await mkdir(folder, { recursive: true });
  return folder;
}

function unsupportedSetting(key: string, value: string): Unsupported {
  return new Unsupported(
    'unsupported_setting',
    `${key}: ${value} comes with a later version. This version has ${key}: embedded.`,
    { at: key },
  );
}

/**
 * Opens datastore, coordination and identity as the configuration says.
 * @throws Unavailable when the data folder cannot be used, `data_folder_in_use` when another process has it
 * @throws Unsupported `unsupported_setting` for adapters that this version does not have
 */
export async function openFoundation(config: Config, options: ProgramOptions): Promise<Foundation> {
  const { logger } = options;
  const classification = loadEngine(config, options.demo);
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
    if (open) await refuseDemoCredentials(config, foundation);
    if (options.demo !== undefined) await addDemo(foundation, options.demo, options.logger);
    const firstAdministrator = await foundation.accounts.createFirstAdministrator();
    const addresses = { alerts: await listen(alerts, config.host, config.alerts.port) };
    options.logger.info({ addresses }, 'ready');
    return {
      ...services,
      addresses,
      firstAdministrator,
      cutConnections: () => alerts.app.server.closeAllConnections(),
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}

function loadEngine(config: Config, demo: DemoKind | undefined): ClassificationEngine {
  const { classification } = config;
  if (classification !== undefined) return loadClassification(classification.text, classification.path);
  return demo === undefined ? loadClassification() : loadClassification(DEMO_CLASSIFICATION);
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
