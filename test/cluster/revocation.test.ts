import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '../../src/identity/actor.ts';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../src/testing/identity/identity-provider.ts';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { SocketClient } from '../../src/testing/socket-client.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { until } from '../../src/testing/until.ts';
import { type ClusterFixture, clusterFixture } from './cluster-fixture.ts';

/** Milliseconds after which every process refuses the credential. */
const PROMISED = 1000;
/** Milliseconds after which a websocket with the credential ends. */
const SOCKET_PROMISED = 5000;
const ADMIN = { authorization: `Basic ${btoa('admin:devkey:admin')}` };
const PASSWORD = 'a password of hopper';

interface Credential {
  readonly service: ServiceName;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

describe('what is taken back at one process ends within a second at another', () => {
  const engine = outsideServer('opensearch');
  const redis = outsideServer('redis');
  const reason = engine.unavailable ?? redis.unavailable;
  if (reason !== undefined) {
    it('not run', { skip: reason });
    return;
  }

  let fixture: ClusterFixture;
  let provider: TestIdentityProvider;
  let here: SpawnedProgram;
  let there: SpawnedProgram;

  before(async () => {
    fixture = clusterFixture('opensearch', engine.url);
    provider = await startIdentityProvider();
    const environment = {
      ...fixture.environment,
      SVC_COORDINATION_TYPE: 'redis',
      SVC_COORDINATION_URL: redis.url,
      SVC_AUTH_OAUTH_ENABLED: 'true',
      // Otherwise the first link of the account voids its password.
      SVC_AUTH_OAUTH_PROVIDERS: JSON.stringify({ main: provider.settings({ link_keeps_credentials: true }) }),
    };
    // The first makes the indices and the demo users.
    await (await spawnProgram({ flags: ['--demo=users'], environment })).stop();
    [here, there] = await Promise.all([spawnProgram({ environment }), spawnProgram({ environment })]);
  });
  after(async () => {
    await Promise.all([here?.stop(), there?.stop()]);
    await provider?.[Symbol.asyncDispose]();
    await fixture?.clear();
  });

  const CHANGES: readonly {
    what: string;
    event: string;
    make: () => Promise<Response>;
    ends: (name: string) => boolean;
  }[] = [
    {
      what: 'the API key is revoked',
      event: 'api_key_revoked',
      make: () => send(here, 'alerts', '/api/v1/auth/apikey/mine', { method: 'DELETE', headers: byPassword() }),
      ends: (name) => name.includes('API key'),
    },
    {
      what: 'the user is switched off',
      event: 'user_disabled',
      make: () =>
        send(here, 'alerts', '/api/v1/user/hopper', { method: 'PUT', headers: ADMIN, json: { is_active: false } }),
      ends: () => true,
    },
    {
      what: 'the user is deleted',
      event: 'user_deleted',
      make: () => send(here, 'alerts', '/api/v1/user/hopper', { method: 'DELETE', headers: ADMIN }),
      // A token of the provider makes a new account, as `auto_create` says.
      ends: (name) => !name.includes('token of the provider'),
    },
  ];

  for (const { what, event, make, ends } of CHANGES) {
    it(what, async () => {
      const credentials = await everyCredential();
      for (const [name, credential] of Object.entries(credentials)) {
        assert.equal(await statusOf(credential), 200, `${name} is good before`);
      }
      const sockets = await socketsOf(credentials);
      const told = eventsOf(event);
      const changed = await make();
      assert.ok(changed.ok, await changed.text());
      const since = performance.now();
      await Promise.all(
        Object.entries(credentials).map(async ([name, credential]) => {
          const last = await lastLetIn(credential, since);
          if (ends(name)) assert.ok(last <= PROMISED, `${name} was accepted after ${last.toFixed(0)} ms`);
          else assert.ok(last > PROMISED, `${name} ended after ${last.toFixed(0)} ms`);
        }),
      );
      assert.equal(eventsOf(event), told + 1, 'the audit log has it, once');
      for (const [name, socket] of Object.entries(sockets)) {
        const left = SOCKET_PROMISED - (performance.now() - since);
        if (ends(name)) await until(`the websocket of ${name} ends`, () => socket.closed !== undefined, left);
        else assert.equal(socket.closed, undefined, name);
        socket.close();
      }
      await send(here, 'alerts', '/api/v1/user/hopper', { method: 'DELETE', headers: ADMIN });
      await sleep(PROMISED);
    });
  }

  /** Returns websockets at the other process, by what they were admitted with. */
  async function socketsOf(credentials: Readonly<Record<string, Credential>>): Promise<Record<string, SocketClient>> {
    const sockets: Record<string, SocketClient> = {};
    for (const [name, { service, headers }] of Object.entries(credentials)) {
      const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
      if (service === 'alerts' && token) sockets[name] = await SocketClient.admitted(there.alerts, token);
    }
    assert.ok(Object.keys(sockets).length > 2);
    return sockets;
  }

  /** Returns the number of such events in the audit log of the process. */
  function eventsOf(event: string): number {
    return here.log.filter((line) => line.startsWith('{"log":"audit"') && line.includes(`"event":"${event}"`)).length;
  }

  /** Returns the milliseconds from `since` to the last accepted request, within twice the promised time. */
  async function lastLetIn(credential: Credential, since: number): Promise<number> {
    let last = 0;
    for (let begun = performance.now(); begun - since < 2 * PROMISED; begun = performance.now()) {
      if ((await statusOf(credential)) === 200) last = begun - since;
      await sleep(20);
    }
    return last;
  }

  async function statusOf({ service, path, headers }: Credential): Promise<number> {
    const answer = await send(there, service, path, { headers });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** Everything that hopper can come with; sessions and tokens are of the process that takes things back. */
  async function everyCredential(): Promise<Readonly<Record<string, Credential>>> {
    const json = {
      name: 'Grace Hopper',
      new_pass: PASSWORD,
      email: 'grace.hopper@example.org',
      type: ['user', 'admin'],
    };
    const made = await send(here, 'alerts', '/api/v1/user/hopper', { method: 'POST', headers: ADMIN, json });
    assert.ok(made.ok, await made.text());
    // The first sign-in through the provider links the account, which ends its sessions.
    const linking = { authorization: `Bearer ${await provider.accessToken('hopper', 'alerts')}` };
    assert.ok((await send(here, 'alerts', '/api/v1/view/', { headers: linking })).ok);
    const key = await apiKey();
    const basic = (text: string) => ({ authorization: `Basic ${btoa(`hopper:${text}`)}` });
    // Who is switched off may still ask who they are.
    const alerts = { service: 'alerts', path: '/api/v1/view/' } as const;
    const analysis = { service: 'analysis', path: '/api/' } as const;
    const bearer = async (service: ServiceName) => ({
      authorization: `Bearer ${await provider.accessToken('hopper', service)}`,
    });
    return {
      'the password at the alert service': { ...alerts, headers: basic(PASSWORD) },
      'the API key at the alert service': { ...alerts, headers: basic(key) },
      'the app token of the password': { ...alerts, headers: await appToken({ user: 'hopper', password: PASSWORD }) },
      'the app token of the API key': { ...alerts, headers: await appToken({ user: 'hopper', apikey: key }) },
      'the token of the provider at the alert service': { ...alerts, headers: await bearer('alerts') },
      'the API key at the analysis service': { ...analysis, headers: { 'x-user': 'hopper', 'x-apikey': key } },
      'the session of the password': { ...analysis, headers: await session({ user: 'hopper', password: PASSWORD }) },
      'the session of the API key': { ...analysis, headers: await session({ user: 'hopper', apikey: key }) },
      'the token of the provider at the analysis service': { ...analysis, headers: await bearer('analysis') },
      'the token of the provider at the enrichment service': {
        service: 'enrichment',
        path: '/api/',
        headers: await bearer('enrichment'),
      },
    };
  }

  async function apiKey(): Promise<string> {
    const json = { name: 'mine', priv: 'RW' };
    const answer = await send(here, 'alerts', '/api/v1/auth/apikey', { method: 'POST', headers: byPassword(), json });
    const body = (await answer.json()) as { api_response: { apikey: string } };
    return body.api_response.apikey;
  }

  async function appToken(json: unknown): Promise<Record<string, string>> {
    const answer = await send(here, 'alerts', '/api/v1/auth/login', { method: 'POST', json });
    const body = (await answer.json()) as { api_response: { app_token: string } };
    return { authorization: `Bearer ${body.api_response.app_token}` };
  }

  async function session(json: unknown): Promise<Record<string, string>> {
    const answer = await send(here, 'analysis', '/api/v4/auth/login/', { method: 'POST', json });
    await answer.arrayBuffer();
    return new CookieJar(answer).sessionHeaders;
  }
});

function byPassword(): Record<string, string> {
  return { authorization: `Basic ${btoa(`hopper:${PASSWORD}`)}` };
}

function send(
  program: SpawnedProgram,
  service: ServiceName,
  path: string,
  { json, ...options }: { method?: string; headers?: Readonly<Record<string, string>>; json?: unknown },
): Promise<Response> {
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const headers = { 'user-agent': 'test', 'content-type': 'application/json', ...options.headers };
  return fetch(`${program.addresses[service]}${path}`, { method: options.method ?? 'GET', headers, ...body });
}
