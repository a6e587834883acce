import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Config } from '../../src/config/config.ts';
import type { ListedRoute } from '../../src/http/route-list.ts';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import type { AuditEvent } from '../../src/identity/audit/audit-log.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../src/testing/identity/identity-provider.ts';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../../src/testing/start-test-program.ts';
import type { Forge } from './forged-tokens.ts';

/** A request of an attacker, and what came of it. */
export interface Outcome {
  readonly answer: TestAnswer;
  /** Security events of this request, without what differs from run to run. */
  readonly events: readonly Partial<AuditEvent>[];
  /** Users, with everything that is stored about them, that came, changed or went with it. */
  readonly changedUsers: readonly string[];
}

export interface AttackFixture extends Forge {
  readonly program: TestProgram;
  /** Everything that was told to the audit log. */
  readonly events: AuditEvent[];
  /** Requests that the attacker's key server received. */
  readonly fetched: readonly string[];
  /** Sends a request, and looks what it has done. */
  attack(path: string, request?: TestRequest): Promise<Outcome>;
}

export interface AttackFixtureOptions {
  /** By key of config.yml. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of the trusted provider, in addition to its usual ones. */
  readonly provider?: Readonly<Record<string, unknown>>;
  /** Settings of the second provider, in addition to its usual ones. */
  readonly other?: Readonly<Record<string, unknown>>;
  /** Configuration folder, for a classification. Default: one without any file of it. */
  readonly folder?: string;
}

/**
 * The whole program with the demo users, two providers that it trusts, one that it does not, and a
 * server of the attacker.
 */
export async function startAttackFixture(options: AttackFixtureOptions = {}): Promise<AttackFixture & AsyncDisposable> {
  const [provider, other, unknown] = await Promise.all([1, 2, 3].map(() => startIdentityProvider()));
  if (!provider || !other || !unknown) throw new Error('three were started');
  const keyServer = await startKeyServer(unknown);
  const events: AuditEvent[] = [];
  const program = await startTestProgram({
    settings: {
      'auth.oauth.enabled': true,
      'auth.oauth.providers': {
        main: provider.settings({ auto_create: true, ...options.provider }),
        other: other.settings({ auto_create: true, services: audiencesOf('other'), ...options.other }),
      },
      ...options.settings,
    },
    ...(options.folder === undefined ? {} : { folder: options.folder }),
    onAudit: (event) => void events.push(event),
  });
  return {
    provider,
    other,
    unknown,
    program,
    events,
    keyServer: keyServer.url,
    fetched: keyServer.fetched,
    async attack(path, request = {}) {
      const requestId = randomUUID();
      const headers = { 'user-agent': 'attacker', ...request.headers, 'x-request-id': requestId };
      const { answer, changedUsers } = await changesBy(program, () => program.request(path, { ...request, headers }));
      return {
        answer,
        events: events.filter((event) => event.requestId === requestId).map(withoutOrigin),
        changedUsers,
      };
    },
    async [Symbol.asyncDispose]() {
      await program.close();
      await keyServer.close();
      await Promise.all([provider, other, unknown].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

/** For one test. */
export async function openAttackFixture(context: TestContext, options?: AttackFixtureOptions): Promise<AttackFixture> {
  const fixture = await startAttackFixture(options);
  context.after(() => fixture[Symbol.asyncDispose]());
  return fixture;
}

/** The routes of a service as it serves them: nothing here has a list of its own. */
export function routesOf(program: TestProgram, service: ServiceName): readonly ListedRoute[] {
  return program[service].routes.all;
}

/** A route that every user may read, to see whether a credential is good. */
export function probeOf(program: TestProgram, service: ServiceName): string {
  const probe = routesOf(program, service).find(
    ({ method, path, access }) =>
      method === 'GET' &&
      !/[<*]/.test(path) &&
      access !== 'public' &&
      access.xsrf !== false &&
      (access.roles === 'any' || access.roles.includes('user')),
  );
  if (probe === undefined) throw new Error(`the ${service} service has no route that every user may read`);
  return probe.path;
}

/** Path of a route, with something in the place of every parameter. */
export function pathOf(route: ListedRoute): string {
  return route.path.replaceAll(/<[^>]+>/g, 'x').replace(/\*$/, 'x');
}

function audiencesOf(prefix: string): Config['auth']['oauth']['providers'][string]['services'] | object {
  return Object.fromEntries(
    SERVICES.map((service) => [service, { client_id: `${prefix}-${service}`, audience: prefix }]),
  );
}

/**
 * Sends something by itself, and looks which users, with everything that is stored about them, came,
 * changed or went with it.
 */
export async function changesBy<Answer>(
  program: TestProgram,
  send: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly changedUsers: readonly string[] }> {
  const before = await storedUsers(program);
  const answer = await send();
  const after = await storedUsers(program);
  const names = new Set([...before.keys(), ...after.keys()]);
  return { answer, changedUsers: [...names].filter((name) => before.get(name) !== after.get(name)) };
}

/** Returns all accounts as they are stored, without the days on which their keys were used. */
export async function storedUsers({
  foundation,
}: Pick<TestProgram, 'foundation'>): Promise<ReadonlyMap<string, string>> {
  // The use of a key is noted once a day, regardless of its purpose.
  const text = (user: object) =>
    JSON.stringify(user, (name, value) => {
      if (name === 'last_used') return undefined;
      return name === 'key_details' ? detailsBesideUses(value) : value;
    });
  return new Map((await foundation.users.list()).map((user) => [user.uname, text(user)]));
}

/** Returns the details of keys of which something else than the last use is stored. */
function detailsBesideUses(details: Readonly<Record<string, object>> | undefined): object | undefined {
  const kept = Object.entries(details ?? {}).filter(([, one]) => Object.keys(one).some((name) => name !== 'last_used'));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function withoutOrigin(event: AuditEvent): Partial<AuditEvent> {
  const { address, userAgent, requestId, call, ...rest } = event;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}

/** Serves the keys of a provider that is not trusted, and records the requests. */
async function startKeyServer(provider: TestIdentityProvider) {
  const fetched: string[] = [];
  const server: Server = createServer((request, response) => {
    fetched.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(provider.keys.published()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetched,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
