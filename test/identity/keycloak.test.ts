import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import type { AuditEvent } from '../../src/identity/audit/audit-log.ts';
import { PEOPLE } from '../../src/testing/identity-provider/provider-people.ts';
import { signInAt } from '../../src/testing/identity-provider/sign-in.ts';
import { openOboIdentity } from '../../src/testing/open-obo-identity.ts';
import { outsideServer } from '../../src/testing/outside-servers.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';
import { type StartedServer, startServer } from '../servers/start-server.ts';
import { type KeycloakRealm, makeKeycloakRealm } from './keycloak-realm.ts';

const { unavailable } = outsideServer('keycloak');

/** Something that only those get who are known, at each service; the first two tell them who they are. */
const WHOAMI: Readonly<Record<ServiceName, string>> = {
  alerts: '/api/v1/user/whoami',
  analysis: '/api/v4/user/whoami/',
  enrichment: '/api/v1/',
};

describe('Keycloak', { skip: unavailable ?? false, timeout: 600_000 }, () => {
  let server: StartedServer;
  let realm: KeycloakRealm;
  let program: TestProgram;
  const events: AuditEvent[] = [];
  const happened = new Set<string>();

  before(async () => {
    // One of its own: it is stopped here.
    server = await startServer('keycloak');
    realm = await makeKeycloakRealm(server.url);
    program = await startWith({ role_map: { admin: 'soc-admins' }, required_groups: ['soc'] });
  });
  after(async () => {
    await program?.close();
    await server?.[Symbol.asyncDispose]();
  });

  async function startWith(settings: Record<string, unknown>): Promise<TestProgram> {
    const started = await startTestProgram({
      settings: { 'auth.oauth.enabled': true, 'auth.oauth.providers': { keycloak: realm.settings(settings) } },
      onAudit: (event) => {
        events.push(event);
        happened.add(event.event);
        assert.doesNotMatch(JSON.stringify(event), /eyJ/, 'no token in the audit log');
      },
    });
    for (const url of Object.values(started.urls)) await realm.allowRedirects(url);
    return started;
  }

  const whoami = (service: ServiceName, bearer: string, at = program) =>
    at.request(WHOAMI[service], { service, bearer });

  async function signIn(username: string, service: ServiceName = 'alerts') {
    const begun = await program.request('/api/v1/auth/login?provider=keycloak', { service });
    assert.equal(begun.status, 302, begun.text);
    const password = PEOPLE[username]?.password ?? '';
    const back = await signInAt(begun.headers.get('location') ?? '', { username, password });
    const cookie = begun.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return { back, cookie, service };
  }

  const finish = ({ back, cookie, service }: Awaited<ReturnType<typeof signIn>>) =>
    program.request(`/api/v1/auth/login${back.search}`, { service, headers: { cookie } });

  it('signs people in through its form, with the roles of their groups', async () => {
    for (const [username, isAdmin] of Object.entries({ lovelace: true, hopper: false })) {
      const signedIn = await finish(await signIn(username));
      assert.equal(signedIn.status, 200, signedIn.text);
      const { app_token, provider, refresh_token } = signedIn.json.api_response;
      assert.equal(provider, 'keycloak');
      assert.ok(refresh_token);
      const { json } = await whoami('alerts', app_token);
      assert.equal(json.api_response.email, PEOPLE[username]?.email);
      assert.equal(json.api_response.is_admin, isAdmin);
    }
  });

  it('signs people in at the enrichment service', async () => {
    const signedIn = await finish(await signIn('hopper', 'enrichment'));
    assert.equal(signedIn.status, 200, signedIn.text);
    const { app_token, user } = signedIn.json.api_response;
    assert.equal(user.email, PEOPLE.hopper?.email);
    assert.equal((await whoami('enrichment', app_token)).status, 200);
  });

  it('opens a session at the analysis service for a token', async () => {
    const login = { oauth_provider: 'keycloak', oauth_token: await realm.accessToken('hopper', 'analysis') };
    const service = 'analysis';
    const opened = await program.request('/api/v4/auth/login/', { service, method: 'POST', json: login });
    assert.equal(opened.status, 200, opened.text);
    const cookie = opened.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const headers = { cookie, 'x-xsrf-token': /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '' };
    const { status, json } = await program.request(WHOAMI.analysis, { service, headers });
    assert.deepEqual([status, json.api_response.email], [200, PEOPLE.hopper?.email]);
    const alerts = { ...login, oauth_token: await realm.accessToken('hopper', 'alerts') };
    assert.equal((await program.request('/api/v4/auth/login/', { service, method: 'POST', json: alerts })).status, 401);
  });

  it('takes an answer once, and only from the browser that asked', async () => {
    const login = await signIn('lovelace');
    assert.equal((await finish({ ...login, cookie: '' })).status, 401);
    const other = await signIn('lovelace');
    assert.equal((await finish(other)).status, 200);
    assert.equal((await finish(other)).status, 401);
  });

  it('refreshes tokens', async () => {
    const { json } = await finish(await signIn('hopper'));
    const { refresh_token } = json.api_response;
    const body = { oauth_provider: 'keycloak', refresh_token };
    const refreshed = await program.request('/api/v1/auth/login', { method: 'POST', json: body });
    assert.equal(refreshed.status, 200, refreshed.text);
    assert.notEqual(refreshed.json.api_response.app_token, json.api_response.app_token);
    assert.equal((await whoami('alerts', refreshed.json.api_response.app_token)).status, 200);
    const wrong = { oauth_provider: 'keycloak', refresh_token: `${refresh_token}x` };
    assert.equal((await program.request('/api/v1/auth/login', { method: 'POST', json: wrong })).status, 401);
  });

  for (const service of SERVICES) {
    it(`gives tokens for the ${service} service that are good there alone`, async () => {
      const token = await realm.accessToken('hopper', service);
      for (const at of SERVICES) {
        const { status, text } = await whoami(at, token);
        assert.equal(status, at === service ? 200 : 401, `${service} at ${at}: ${text}`);
      }
    });
  }

  it('keeps those out who are not in the required groups, and makes no account for them', async () => {
    const { status } = await whoami('alerts', await realm.accessToken('stranger', 'alerts'));
    assert.equal(status, 403);
    const users = await program.request('/api/v1/user/stranger-example', { basic: 'admin:devkey:admin' });
    assert.equal(users.status, 404);
  });

  for (const [from, to] of [
    ['alerts', 'analysis'],
    ['alerts', 'enrichment'],
    ['enrichment', 'analysis'],
  ] as const) {
    it(`exchanges tokens for ${from} for such that are good at ${to}`, async (context) => {
      const { exchangeOf, verifier, events: exchanges } = await openOboIdentity(context, realm);
      const token = await realm.accessToken('lovelace', from);
      const exchanged = await exchangeOf(from).exchange(token, to, 'lovelace');
      assert.ok(exchanged, JSON.stringify(exchanges));
      const { claims } = await verifier.verify(exchanged, to);
      assert.equal(claims.azp, `triad-${from}`);
      assert.equal(claims.email, PEOPLE.lovelace?.email);
      events.length = 0;
      assert.equal((await whoami(to, exchanged)).status, 200);
      assert.equal((await whoami('alerts', exchanged)).status, 401);
      const calls = events.filter(({ event }) => event === 'on_behalf_of_call').map(({ azp }) => azp);
      assert.deepEqual(calls, to === 'analysis' ? [`triad-${from}`] : []);
    });
  }

  it('does not exchange a token that is not for the service that asks', async (context) => {
    const { exchangeOf } = await openOboIdentity(context, realm);
    const token = await realm.accessToken('lovelace', 'analysis');
    assert.equal(await exchangeOf('alerts').exchange(token, 'enrichment', 'lovelace'), null);
  });

  it('refuses a user who was switched off, within a second', async () => {
    const token = await realm.accessToken('hopper', 'alerts');
    const { json } = await whoami('alerts', token);
    const account = `/api/v1/user/${json.api_response.username}`;
    const change = (is_active: boolean) =>
      program.request(account, { method: 'PUT', basic: 'admin:devkey:admin', json: { is_active } });
    assert.equal((await change(false)).status, 200);
    // Whoever is switched off still learns who they are.
    const views = async () => (await program.request('/api/v1/view', { bearer: token })).status;
    await until('the token is refused', async () => (await views()) === 403, 1000);
    assert.equal((await change(true)).status, 200);
    await until('the token is good again', async () => (await views()) === 200, 1500);
  });

  it('rotates its keys: new tokens are good at once', async () => {
    const old = await realm.accessToken('lovelace', 'alerts');
    await realm.rotateKeys();
    const fresh = await realm.accessToken('lovelace', 'alerts');
    assert.notEqual(keyOf(old), keyOf(fresh));
    assert.equal((await whoami('alerts', fresh)).status, 200);
    // Never seen before, and its key is gone.
    assert.equal((await whoami('alerts', old)).status, 401);
  });

  it('is stopped and started: those with it wait, nobody else, and nothing has to be restarted', async () => {
    const seen = await realm.accessToken('lovelace', 'alerts');
    assert.equal((await whoami('alerts', seen)).status, 200);
    const restarted = await startWith({});
    try {
      await server.stop();
      assert.equal((await whoami('alerts', seen)).status, 200);
      assert.equal((await whoami('alerts', seen, restarted)).status, 503);
      assert.equal((await restarted.request('/api/v1/auth/login?provider=keycloak')).status, 503);
      const own = await restarted.request(WHOAMI.alerts, { basic: 'admin:devkey:admin' });
      assert.equal(own.status, 200);
      await server.start();
      await until('its tokens are good again', async () => (await whoami('alerts', seen, restarted)).status === 200);
      assert.equal((await finish(await signIn('lovelace'))).status, 200);
    } finally {
      await restarted.close();
    }
  });

  it('leaves a trace of each in the audit log', () => {
    const wanted = ['login_succeeded', 'login_failed', 'credential_refused', 'user_created', 'user_disabled'];
    assert.deepEqual(
      wanted.filter((event) => !happened.has(event)),
      [],
    );
  });
});

function keyOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8')).kid;
}
