import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { pino } from 'pino';
import { createAlertsServer } from './alerts/alerts-server.ts';
import type { Config } from './config/config.ts';
import { openEmbeddedCoordination } from './coordination/embedded/embedded-coordination.ts';
import { InvalidInput, Unauthenticated } from './errors/errors.ts';
import type { ServiceServer } from './http/service-server.ts';

/** `all`: users, keys and believable records; `users`: users and keys alone. */
export type DemoKind = 'all' | 'users';

export interface ProgramOptions {
  /** Version of the program. */
  readonly version: string;
  /** Fills an empty data folder. Undefined: nothing is made up. */
  readonly demo?: DemoKind | undefined;
  readonly logger: pino.Logger;
  /** Nothing is kept on disk. Default false. */
  readonly inMemory?: boolean;
}

export interface Program {
  /** `http://host:port` by listener. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Ends connections whose requests do not finish. */
  cutConnections(): void;
  /** Stops accepting, finishes what was begun, releases everything. */
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Starts everything: datastore, coordination, identity, services. Resolves when every listener answers.
 * @throws InvalidInput `demo_off_loopback` when demo credentials would be reachable from the network
 */
export async function startProgram(config: Config, options: ProgramOptions): Promise<Program> {
  refuseOpenDemo(config, options.demo);
  const { logger } = options;
  const folder = options.inMemory === true ? 'memory' : resolve(config.data_folder);
  if (folder !== 'memory') await mkdir(folder, { recursive: true });
  const coordination = await openEmbeddedCoordination({ folder, logger });
  const alerts = createAlertsServer({
    version: options.version,
    log: logger,
    authenticator: {
      authenticate: async () => {
        throw new Unauthenticated('no_credential', 'No Authorization header present');
      },
    },
    quota: undefined,
    audit: config.ui.audit,
    bodyLimit: config.http.max_body_size,
    checks: [{ name: 'coordination', health: () => coordination.health() }],
  });
  const addresses = { alerts: await listen(alerts, config.host, config.alerts.port) };
  logger.info({ addresses }, 'ready');
  return {
    addresses,
    cutConnections: () => alerts.app.server.closeAllConnections(),
    async close() {
      await alerts.app.close();
      await coordination.close();
    },
  };
}

function refuseOpenDemo(config: Config, demo: DemoKind | undefined): void {
  if (demo === undefined || LOOPBACK.has(config.host)) return;
  throw new InvalidInput(
    'demo_off_loopback',
    `The demo has passwords that everybody knows, so it only listens on loopback, not on ${config.host}. Unset SVC_HOST (host in config.yml), or start without --demo.`,
  );
}

async function listen({ app }: ServiceServer, host: string, port: number): Promise<string> {
  await app.listen({ host, port });
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}
