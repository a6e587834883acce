import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import type { AuditEvent } from '../../src/identity/audit/audit-log.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../src/testing/identity/identity-provider.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { callingSources, countAlerts, lookUp, saveAlerts, startCallingPlugin } from './calling-plugin.ts';

const CALLS = [
  ['alerts', 'enrichment'],
  ['analysis', 'enrichment'],
] as const;

describe('a lookup whose sources ask the other services on behalf of the caller', () => {
  let provider: TestIdentityProvider;
  let plugin: Awaited<ReturnType<typeof startCallingPlugin>>;
  let program: TestProgram;
  const events: AuditEvent[] = [];

  before(async () => {
    provider = await startIdentityProvider();
    plugin = await startCallingPlugin(() => program.urls);
    program = await startTestProgram({
      settings: {
        'auth.oauth.enabled': true,
        'auth.oauth.providers': { local: provider.settings() },
        'enrichment.own_sources': 'alerts,analysis',
        'enrichment.external_sources': callingSources(plugin.url),
        'enrichment.api_keys': { robot: 'robot-secret' },
      },
      onAudit: (event) => void events.push(event),
    });
    const { unrestricted, restricted } = program.foundation.classification;
    const password = 'long enough for all';
    // The users of the demo have no filter, as in the recordings.
    const filter = { classification: unrestricted, access_control: `classification:"${unrestricted}"` };
    const reader = { name: 'Reader', new_pass: password, type: ['user'], ...filter };
    await program.foundation.accounts.create('reader', reader);
    await saveAlerts(program, [unrestricted, restricted]);
  });
  after(async () => {
    await program?.close();
    await plugin?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  /** Returns the calls on behalf of a user that the audit log got since the last look. */
  const calls = (user: string) => {
    const found = events.splice(0).filter((event) => event.event === 'on_behalf_of_call' && event.user === user);
    return new Set(found.map(({ service, azp }) => `${service} ${azp}`));
  };

  async function appToken(user: string): Promise<string> {
    const password = user === 'reader' ? 'long enough for all' : user;
    const login = await program.request('/api/v1/auth/login', { method: 'POST', json: { user, password } });
    assert.equal(login.status, 200, login.text);
    return login.json.api_response.app_token;
  }

  it('finds what the user may see, with an app token and no provider, and writes nothing', async () => {
    for (const [user, seen] of [
      ['admin', 2],
      ['reader', 1],
    ] as const) {
      events.length = 0;
      const bearer = await appToken(user);
      const { alerts, analysis } = await lookUp(program, { bearer });
      assert.deepEqual(alerts, { user, seen, writing: 403 });
      assert.deepEqual(analysis, { user, seen: 1, writing: 403 });
      assert.deepEqual(calls(user), new Set(CALLS.map(([service, azp]) => `${service} ${azp}`)));
    }
  });

  it('counts by the sources of the program what the user may see, with and without a provider', async () => {
    const bearers = [
      ['admin', 2, await appToken('admin'), 'enrichment'],
      ['reader', 1, await appToken('reader'), 'enrichment'],
      ['hopper', 1, await provider.accessToken('hopper', 'enrichment'), 'triad-enrichment'],
    ] as const;
    for (const [user, count, bearer, azp] of bearers) {
      events.length = 0;
      assert.deepEqual(await countAlerts(program, { bearer }), { count, errors: [] }, user);
      const audited = events.filter(({ event }) => event === 'on_behalf_of_call');
      assert.deepEqual(
        new Set(audited.map((event) => `${event.service} ${event.azp}`)),
        new Set([`alerts ${azp}`, `analysis ${azp}`]),
      );
      assert.ok(
        audited.every((event) => event.user?.startsWith(user)),
        user,
      );
    }
  });

  it('works with an API key, whose secret no source gets', async () => {
    plugin.requests.length = 0;
    const { alerts } = await lookUp(program, { basic: 'user:devkey:user' });
    assert.deepEqual(alerts, { user: 'user', seen: 2, writing: 403 });
    assert.equal(plugin.requests.length, 2);
    for (const { authorization = '', path } of plugin.requests) {
      const { sub, azp, aud, scope, iat = 0, exp = 0 } = decodeJwt(authorization.replace('Bearer ', ''));
      assert.deepEqual([sub, azp, scope, exp - iat], ['user', 'enrichment', 'R', 60]);
      assert.equal(aud, path.startsWith('/alerts/') ? 'service:alerts' : 'service:analysis');
    }
  });

  it('exchanges the token of a provider', async () => {
    events.length = 0;
    const bearer = await provider.accessToken('hopper', 'enrichment');
    const { alerts, analysis } = await lookUp(program, { bearer });
    assert.ok(typeof alerts === 'object' && typeof analysis === 'object', `${alerts} ${analysis}`);
    assert.deepEqual([alerts.user, alerts.seen, analysis.user], [analysis.user, 1, alerts.user]);
    const clients = CALLS.map(([service]) => `${service} triad-enrichment`);
    assert.deepEqual(calls(alerts.user), new Set(clients));
  });

  it('has no token for the users of a configured key, who have no account', async () => {
    plugin.requests.length = 0;
    const headers = { 'x-userid': 'admin', 'x-classification': program.foundation.classification.unrestricted };
    const { json } = await program.request('/enrich/', {
      service: 'enrichment',
      method: 'POST',
      basic: 'robot:robot-secret',
      headers,
      json: [{ type: 'domain', value: 'example.org' }],
    });
    for (const result of Object.values(json.api_response.domain['example.org']) as { error?: string }[]) {
      assert.equal(result.error, 'You must have a valid JWT to access this plugin.');
    }
    assert.deepEqual(plugin.requests, []);
  });

  it('is refused within a second when the user is switched off', async () => {
    const bearer = await appToken('user');
    await lookUp(program, { bearer });
    const change = (is_active: boolean) =>
      program.request('/api/v1/user/user', { method: 'PUT', basic: 'admin:devkey:admin', json: { is_active } });
    assert.equal((await change(false)).status, 200);
    await assert.rejects(lookUp(program, { bearer }), /^Error: 40[13] /);
    await assert.rejects(countAlerts(program, { bearer }), /^Error: 40[13] /);
    assert.equal((await change(true)).status, 200);
  });
});
