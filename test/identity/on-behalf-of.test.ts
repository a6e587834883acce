import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { AuditEvent } from '../../src/identity/audit/audit-log.ts';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../src/testing/identity/identity-provider.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';

const ADMIN = { basic: 'admin:devkey:admin' };
const WHOAMI = '/api/v4/user/whoami/';

describe('calls in the name of a user, from one service to another', () => {
  let provider: TestIdentityProvider;
  let program: TestProgram;
  const events: AuditEvent[] = [];

  before(async () => {
    provider = await startIdentityProvider();
    program = await startTestProgram({
      settings: {
        'auth.oauth.enabled': true,
        'auth.oauth.providers': { local: provider.settings() },
        'auth.service_account.enabled': true,
        'auth.service_account.accounts': [
          { username: 'lovelace', password: 'password-of-lovelace', provider: 'local' },
        ],
      },
      onAudit: (event) => void events.push(event),
    });
    provider.allowRedirects([`${program.urls.alerts}/login?provider=local`]);
    await setCanImpersonate('admin', true);
  });
  beforeEach(() => {
    events.length = 0;
  });
  after(async () => {
    await program?.close();
    await provider[Symbol.asyncDispose]();
  });

  const setCanImpersonate = (username: string, value: boolean) =>
    program.foundation.users.update(username, [{ op: 'set', path: 'can_impersonate', value }]);
  const whoami = (headers: Record<string, string>) => program.request(WHOAMI, { service: 'analysis', headers });
  const bearer = (token: string | null) => ({ authorization: `Bearer ${token}` });
  const key = (username: string, secret = username) => ({ 'x-user': username, 'x-apikey': `devkey:${secret}` });
  const calls = () =>
    events
      .filter(({ event }) => event === 'on_behalf_of_call')
      .map(({ user, impersonator, azp, call }) => [user, impersonator, azp, call]);

  async function signIn(username: string): Promise<string> {
    const begun = await program.request('/api/v1/auth/login?provider=local');
    assert.equal(begun.status, 302, begun.text);
    const back = await provider.signIn(begun.headers.get('location') ?? '', username);
    const cookie = new CookieJar(begun).header;
    const finished = await program.request(`/api/v1/auth/login${back.search}`, { headers: { cookie } });
    assert.equal(finished.status, 200, finished.text);
    return finished.json.api_response.app_token;
  }

  it('lead from the sign-in at the alert service to the analysis service, with their client in the audit log', async () => {
    const token = await signIn('hopper');
    const me = await program.request('/api/v1/user/whoami', { bearer: token });
    const { username } = me.json.api_response;
    assert.equal((await whoami(bearer(token))).status, 401);
    const exchanged = await program.foundation.alertsExchange.exchange(token, 'analysis', username);
    const answer = await whoami(bearer(exchanged));
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.api_response.username, username);
    assert.deepEqual(calls(), [[username, 'triad-alerts', 'triad-alerts', `GET ${WHOAMI}`]]);
    assert.ok(
      events.some(
        ({ event, target, azp }) => event === 'token_exchanged' && target === 'analysis' && azp === 'triad-alerts',
      ),
    );
  });

  it('lead from the enrichment service to the analysis service, also for its service account', async () => {
    const { enrichmentExchange, serviceAccount } = program.foundation;
    const token = await provider.accessToken('hopper', 'enrichment');
    for (const own of [token, (await serviceAccount.token()) ?? '']) {
      const exchanged = await enrichmentExchange.exchange(own, 'analysis', 'somebody');
      const answer = await whoami(bearer(exchanged));
      assert.equal(answer.status, 200, answer.text);
      await enrichmentExchange.forget('somebody');
    }
    assert.deepEqual(
      calls().map(([user, , azp]) => [user, azp]),
      [
        ['hopper', 'triad-enrichment'],
        ['lovelace', 'triad-enrichment'],
      ],
    );
  });

  it('are made beside a key or a session of one, by those who may impersonate', async () => {
    const token = { ...bearer(await provider.accessToken('hopper', 'analysis')), 'x-token-provider': 'local' };
    const answer = await whoami({ ...key('admin'), ...token });
    assert.equal(answer.json.api_response.username, 'hopper', answer.text);
    assert.equal(answer.json.api_response.is_admin, false);

    const login = await program.request('/api/v4/auth/login/', {
      service: 'analysis',
      method: 'POST',
      json: { user: 'admin', apikey: 'devkey:admin' },
    });
    const cookie = new CookieJar(login).header;
    const bySession = await whoami({ cookie, ...token });
    assert.equal(bySession.json.api_response.username, 'hopper', bySession.text);
    assert.deepEqual(calls(), Array(2).fill(['hopper', 'admin', 'triad-analysis', `GET ${WHOAMI}`]));

    const refused = await whoami({ ...key('user'), ...token });
    assert.equal(refused.status, 403);
    assert.match(refused.json.api_error_message, /may not call in the name of others/);
  });

  it('are allowed by a user for a client, over the page of the service', async () => {
    const query = new URLSearchParams({
      ...{
        client_id: 'admin',
        redirect_url: 'https://client.example.org/',
        roles: 'submission_view',
        server: 'Client',
      },
    });
    // An API key of the extended kind has the role; the demo's own has not.
    const created = await program.request('/api/v1/auth/apikey', {
      method: 'POST',
      basic: 'user:user',
      json: { name: 'extended', priv: ['R', 'W', 'E'] },
    });
    const granted = await program.request(`/api/v4/auth/obo_token/?${query}`, {
      service: 'analysis',
      headers: {
        'x-user': 'user',
        'x-apikey': created.json.api_response.apikey,
        referer: `${program.urls.analysis}/x`,
      },
    });
    assert.equal(granted.status, 302, granted.text);
    const token = new URL(granted.headers.get('location') ?? '').searchParams.get('token');
    const answer = await whoami({ ...key('admin'), ...bearer(token) });
    assert.deepEqual(answer.json.api_response?.roles, ['submission_view'], answer.text);
    assert.deepEqual(calls(), [['user', 'admin', 'admin', `GET ${WHOAMI}`]]);
    await setCanImpersonate('admin', false);
    assert.equal((await whoami({ ...key('admin'), ...bearer(token) })).status, 403);
    await setCanImpersonate('admin', true);
  });

  it('end within a second when the user is switched off', async () => {
    const token = await provider.accessToken('hopper', 'alerts');
    const exchanged = await program.foundation.alertsExchange.exchange(token, 'analysis', 'hopper');
    assert.equal((await whoami(bearer(exchanged))).status, 200);
    const change = (is_active: boolean) =>
      program.request('/api/v1/user/hopper', { method: 'PUT', ...ADMIN, json: { is_active } });
    assert.equal((await change(false)).status, 200);
    await until('the token is refused', async () => (await whoami(bearer(exchanged))).status === 403, 1000);
    await change(true);
  });

  it('leave no token in the audit log', async () => {
    await whoami(bearer(await provider.accessToken('hopper', 'analysis', { azp: 'other' })));
    await whoami(bearer(await provider.accessToken('hopper', 'alerts')));
    assert.ok(events.length >= 2);
    assert.doesNotMatch(JSON.stringify(events), /eyJ/);
  });
});
