import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import type { AuditEvent } from '../../src/identity/audit/audit-log.ts';
import { PEOPLE } from '../../src/testing/identity/identity-provider/provider-people.ts';
import { openOboIdentity } from '../../src/testing/identity/open-obo-identity.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';
import { callingSources, countAlerts, lookUp, saveAlerts, startCallingPlugin } from './calling-plugin.ts';
import { BEGIN, visitsTo, WHOAMI } from './provider-visits.ts';

/** An identity provider with the people of PEOPLE and a client for each service. */
export interface ProviderUnderTest extends AsyncDisposable {
  /** Value of `auth.oauth.providers.<name>`. */
  settings(more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  accessToken(username: string, service: ServiceName): Promise<string>;
  /** New signing keys; the old ones are withdrawn. */
  rotateKeys(): Promise<void>;
  /** Browsers may be sent back to these. */
  allowPages(pages: readonly string[]): Promise<void>;
  /** Does not answer until `start`; people and keys stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface ProviderSuite {
  readonly name: string;
  /** Why it is not run. */
  readonly unavailable: string | undefined;
  start(): Promise<ProviderUnderTest>;
}

/**
 * One identity for three services, with a real identity provider.
 * The tests stand on each other: the provider is stopped at the end.
 */
export function testProvider({ name, unavailable, start }: ProviderSuite): void {
  describe(name, { skip: unavailable ?? false, timeout: 600_000 }, () => {
    let provider: ProviderUnderTest;
    let program: TestProgram;
    let plugin: Awaited<ReturnType<typeof startCallingPlugin>>;
    const events: AuditEvent[] = [];
    const happened = new Set<string>();

    before(async () => {
      provider = await start();
      plugin = await startCallingPlugin(() => program.urls);
      program = await startWith({ role_map: { admin: 'soc-admins' }, required_groups: ['soc'] });
    });
    after(async () => {
      await program?.close();
      await plugin?.[Symbol.asyncDispose]();
      await provider?.[Symbol.asyncDispose]();
    });

    async function startWith(settings: Record<string, unknown>): Promise<TestProgram> {
      const started = await startTestProgram({
        settings: {
          'auth.oauth.enabled': true,
          'auth.oauth.providers': { main: provider.settings(settings) },
          'enrichment.own_sources': 'alerts,analysis',
          'enrichment.external_sources': callingSources(plugin.url),
        },
        onAudit: (event) => {
          events.push(event);
          happened.add(event.event);
          assert.doesNotMatch(JSON.stringify(event), /eyJ/, 'no token in the audit log');
        },
      });
      const { alerts, analysis, enrichment } = started.urls;
      await provider.allowPages([
        `${alerts}/login?provider=main`,
        `${analysis}/oauth/main/`,
        `${enrichment}/login?provider=main`,
      ]);
      return started;
    }

    const { whoami, signIn, finish, openSession } = visitsTo(() => program);

    it('signs people in through its form, with the roles of their groups', async () => {
      for (const [username, isAdmin] of Object.entries({ lovelace: true, hopper: false })) {
        const signedIn = await finish(await signIn(username));
        assert.equal(signedIn.status, 200, signedIn.text);
        const { app_token, provider: told, refresh_token } = signedIn.json.api_response;
        assert.equal(told, 'main');
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

    it('signs people in at the analysis service, with the roles of their groups', async () => {
      for (const [username, isAdmin] of Object.entries({ lovelace: true, hopper: false })) {
        const signedIn = await finish(await signIn(username, 'analysis'));
        assert.equal(signedIn.status, 200, signedIn.text);
        const { username: user, oauth_token_id } = signedIn.json.api_response;
        const { status, json, text } = await openSession({ user, oauth_token_id });
        assert.equal(status, 200, text);
        assert.deepEqual([json.api_response.email, json.api_response.is_admin], [PEOPLE[username]?.email, isAdmin]);
      }
    });

    it('opens a session at the analysis service for a token', async () => {
      const login = { oauth_provider: 'main', oauth_token: await provider.accessToken('hopper', 'analysis') };
      const { status, json } = await openSession(login);
      assert.deepEqual([status, json.api_response.email], [200, PEOPLE.hopper?.email]);
      const alerts = { ...login, oauth_token: await provider.accessToken('hopper', 'alerts') };
      const refused = await program.request('/api/v4/auth/login/', {
        service: 'analysis',
        method: 'POST',
        json: alerts,
      });
      assert.equal(refused.status, 401);
    });

    it('takes an answer once, and only from the browser that asked', async () => {
      const login = await signIn('lovelace');
      assert.equal((await finish({ ...login, cookie: '' })).status, 401);
      const other = await signIn('lovelace');
      assert.equal((await finish(other)).status, 200);
      assert.equal((await finish(other)).status, 401);
    });

    for (const service of ['alerts', 'enrichment'] as const) {
      it(`refreshes tokens of the ${service} service`, async () => {
        const { json } = await finish(await signIn('hopper', service));
        const { refresh_token } = json.api_response;
        const refresh = (token: string) => {
          const body = { oauth_provider: 'main', refresh_token: token };
          return program.request('/api/v1/auth/login', { service, method: 'POST', json: body });
        };
        const refreshed = await refresh(refresh_token);
        assert.equal(refreshed.status, 200, refreshed.text);
        assert.notEqual(refreshed.json.api_response.app_token, json.api_response.app_token);
        assert.equal((await whoami(service, refreshed.json.api_response.app_token)).status, 200);
        assert.equal((await refresh(`${refresh_token}x`)).status, 401);
      });
    }

    for (const service of SERVICES) {
      it(`gives tokens for the ${service} service that are good there alone`, async () => {
        const token = await provider.accessToken('hopper', service);
        for (const at of SERVICES) {
          const { status, text } = await whoami(at, token);
          assert.equal(status, at === service ? 200 : 401, `${service} at ${at}: ${text}`);
        }
      });
    }

    it('keeps those out who are not in the required groups, and makes no account for them', async () => {
      for (const service of SERVICES) {
        assert.equal((await whoami(service, await provider.accessToken('stranger', service))).status, 403);
      }
      const addresses = (await program.foundation.users.list()).map(({ email }) => email);
      assert.ok(addresses.includes(PEOPLE.hopper?.email));
      assert.ok(!addresses.includes(PEOPLE.stranger?.email));
    });

    for (const [from, to] of [
      ['alerts', 'analysis'],
      ['alerts', 'enrichment'],
      ['enrichment', 'alerts'],
      ['enrichment', 'analysis'],
    ] as const) {
      it(`exchanges tokens for ${from} for such that are good at ${to}`, async (context) => {
        const { exchangeOf, verifier, events: exchanges } = await openOboIdentity(context, provider);
        const token = await provider.accessToken('lovelace', from);
        const exchanged = await exchangeOf(from).exchange(token, to, 'lovelace');
        assert.ok(exchanged, JSON.stringify(exchanges));
        const { claims } = await verifier.verify(exchanged, to);
        assert.equal(claims.azp, `triad-${from}`);
        assert.equal(claims.email, PEOPLE.lovelace?.email);
        events.length = 0;
        assert.equal((await whoami(to, exchanged)).status, 200);
        assert.equal((await whoami(to === 'alerts' ? 'analysis' : 'alerts', exchanged)).status, 401);
        const calls = events.filter(({ event }) => event === 'on_behalf_of_call').map(({ azp }) => azp);
        assert.deepEqual(calls, [`triad-${from}`]);
      });
    }

    it('exchanges the token of a lookup for sources that ask the alert and the analysis service', async () => {
      const bearer = await provider.accessToken('hopper', 'enrichment');
      events.length = 0;
      const { alerts, analysis } = await lookUp(program, { bearer });
      assert.ok(typeof alerts === 'object' && typeof analysis === 'object', `${alerts} ${analysis}`);
      assert.equal(alerts.user, analysis.user);
      const calls = events.filter(({ event }) => event === 'on_behalf_of_call');
      assert.deepEqual(
        new Set(calls.map(({ service, user, azp }) => `${service} ${user} ${azp}`)),
        new Set(['alerts', 'analysis'].map((service) => `${service} ${alerts.user} triad-enrichment`)),
      );
    });

    it('counts by the sources of the program the alerts that a user of the provider may see', async () => {
      const { unrestricted, restricted } = program.foundation.classification;
      await saveAlerts(program, [unrestricted, unrestricted, restricted]);
      const bearer = await provider.accessToken('hopper', 'enrichment');
      const known = await whoami('alerts', await provider.accessToken('hopper', 'alerts'));
      const { username } = known.json.api_response;
      events.length = 0;
      assert.deepEqual(await countAlerts(program, { bearer }), { count: 2, errors: [] });
      const calls = events.filter(({ event }) => event === 'on_behalf_of_call');
      assert.deepEqual(
        new Set(calls.map(({ service, user, azp }) => `${service} ${user} ${azp}`)),
        new Set(['alerts', 'analysis'].map((service) => `${service} ${username} triad-enrichment`)),
      );
      assert.deepEqual(await countAlerts(program, { basic: 'admin:devkey:admin' }), { count: 3, errors: [] });
    });

    it('does not exchange a token that is not for the service that asks', async (context) => {
      const { exchangeOf } = await openOboIdentity(context, provider);
      const token = await provider.accessToken('lovelace', 'analysis');
      assert.equal(await exchangeOf('alerts').exchange(token, 'enrichment', 'lovelace'), null);
    });

    it('lets people make API keys for two services, which are good until they are revoked', async () => {
      const bearer = await provider.accessToken('hopper', 'alerts');
      const { username } = (await whoami('alerts', bearer)).json.api_response;
      const json = { name: 'revoked', priv: 'RW' };
      const made = await program.request('/api/v1/auth/apikey', { method: 'POST', bearer, json });
      assert.equal(made.status, 200, made.text);
      const { apikey } = made.json.api_response;
      const alerts = () => program.request(WHOAMI.alerts, { basic: `${username}:${apikey}` });
      const headers = { 'x-user': username, 'x-apikey': apikey };
      const analysis = () => program.request(WHOAMI.analysis, { service: 'analysis', headers });
      for (const ask of [alerts, analysis]) {
        const { status, json: who, text } = await ask();
        assert.deepEqual([status, who.api_response.username], [200, username], text);
      }
      const revoked = await program.request('/api/v1/auth/apikey/revoked', { method: 'DELETE', bearer });
      assert.equal(revoked.status, 204, revoked.text);
      for (const ask of [alerts, analysis]) {
        await until('the key is refused', async () => (await ask()).status === 401, 1000);
      }
    });

    it('refuses a user who was switched off, within a second', async () => {
      const token = await provider.accessToken('hopper', 'alerts');
      const { json } = await whoami('alerts', token);
      const account = `/api/v1/user/${json.api_response.username}`;
      const change = (is_active: boolean) =>
        program.request(account, { method: 'PUT', basic: 'admin:devkey:admin', json: { is_active } });
      assert.equal((await change(false)).status, 200);
      // A disabled user is still identified.
      const views = async () => (await program.request('/api/v1/view', { bearer: token })).status;
      await until('the token is refused', async () => (await views()) === 403, 1000);
      assert.equal((await change(true)).status, 200);
      await until('the token is good again', async () => (await views()) === 200, 1500);
    });

    it('rotates its keys: new tokens are good at once', async () => {
      const old = await provider.accessToken('lovelace', 'alerts');
      await provider.rotateKeys();
      const fresh = await provider.accessToken('lovelace', 'alerts');
      assert.notEqual(keyOf(old), keyOf(fresh));
      assert.equal((await whoami('alerts', fresh)).status, 200);
      // Never seen before, and its key is gone.
      assert.equal((await whoami('alerts', old)).status, 401);
    });

    it('is stopped and started: only its users wait, and nothing has to be restarted', async () => {
      const seen = await provider.accessToken('lovelace', 'alerts');
      assert.equal((await whoami('alerts', seen)).status, 200);
      const restarted = await startWith({});
      try {
        await provider.stop();
        assert.equal((await whoami('alerts', seen)).status, 200);
        assert.equal((await whoami('alerts', seen, restarted)).status, 503);
        for (const service of SERVICES) {
          assert.equal((await restarted.request(BEGIN[service], { service })).status, 503, service);
        }
        const own = await restarted.request(WHOAMI.alerts, { basic: 'admin:devkey:admin' });
        assert.equal(own.status, 200);
        await provider.start();
        await until('its tokens are good again', async () => (await whoami('alerts', seen, restarted)).status === 200);
        assert.equal((await finish(await signIn('lovelace'))).status, 200);
      } finally {
        await restarted.close();
      }
    });

    it('leaves a trace of each in the audit log', () => {
      const wanted = ['login_succeeded', 'login_failed', 'credential_refused', 'user_created', 'user_disabled'];
      assert.deepEqual(
        [...wanted, 'api_key_created', 'api_key_revoked'].filter((event) => !happened.has(event)),
        [],
      );
    });
  });
}

function keyOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8')).kid;
}
