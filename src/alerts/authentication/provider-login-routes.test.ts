import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { CookieJar } from '../../testing/identity/cookie-jar.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { startTestProgram, type TestAnswer, type TestProgram } from '../../testing/start-test-program.ts';

const PAGES = 'https://triad.example';
const LOGIN = '/api/v1/auth/login';

describe('login at the alert service through the page of a provider', () => {
  let provider: TestIdentityProvider;
  let program: TestProgram;
  const events: AuditEvent[] = [];
  before(async () => {
    provider = await startIdentityProvider();
    program = await startTestProgram({
      demo: 'none',
      settings: {
        'auth.oauth.enabled': true,
        'auth.oauth.gravatar_enabled': false,
        'auth.oauth.redirect_origins': [PAGES],
        'auth.oauth.strict_apikeys': true,
        'auth.oauth.providers': {
          main: provider.settings({
            role_map: { admin: 'soc-admins' },
            required_groups: ['soc'],
            groups_url: '/groups',
            groups_key: 'value',
            api_base_url: provider.issuer,
          }),
          bearer: { jwks_uri: `${provider.issuer}/jwks`, iss: 'https://bearer.example' },
        },
      },
      onAudit: (event) => void events.push(event),
    });
    provider.allowRedirects([`${program.url}/login?provider=main`, `${PAGES}/login?provider=main`]);
  });
  after(async () => {
    await program.close();
    await provider[Symbol.asyncDispose]();
  });

  const begin = (query = 'oauth_provider=main', headers: Readonly<Record<string, string>> = {}) =>
    program.request(`${LOGIN}?${query}`, { headers });
  const locationOf = (answer: TestAnswer) => new URL(answer.headers.get('location') ?? '');
  /** Signs in like a browser. */
  async function signIn(username: string): Promise<TestAnswer> {
    const begun = await begin();
    const back = await provider.signIn(locationOf(begun), username);
    return program.request(`${LOGIN}${back.search}`, { headers: { cookie: new CookieJar(begun).header } });
  }

  it('offers the providers that someone can log in through', async () => {
    const { json } = await program.request('/api/v1/configs');
    assert.deepEqual(json.api_response.configuration.auth.oauth_providers, ['main']);
  });

  it('sends the browser to the provider, and back to the page that it came from', async () => {
    const begun = await begin('provider=main&nonce=abc');
    assert.equal(begun.status, 302);
    const { origin, searchParams } = locationOf(begun);
    assert.deepEqual([origin, searchParams.get('nonce')], [provider.issuer, 'abc']);
    assert.equal(searchParams.get('redirect_uri'), `${program.url}/login?provider=main`);
    const [cookie = ''] = begun.headers.getSetCookie();
    assert.match(cookie, /^alerts-login=login\.[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.equal(begun.headers.get('cache-control'), 'no-store');
    const page = await begin('provider=main', { referer: `${PAGES}/hits/1?x=2` });
    assert.equal(locationOf(page).searchParams.get('redirect_uri'), `${PAGES}/login?provider=main`);
    assert.match(page.headers.getSetCookie()[0] ?? '', /; Secure;/);
    const posted = await program.request(LOGIN, { method: 'POST', json: { provider: 'main' } });
    assert.equal(posted.status, 302);
  });

  it('sends no one back to a page of someone else', async () => {
    for (const referer of [
      'https://evil.example/',
      `${PAGES}.evil.example/`,
      'https://triad.example@evil.example/',
      'x',
      `${PAGES}:444/`,
    ]) {
      const redirect = locationOf(await begin('provider=main', { referer })).searchParams.get('redirect_uri');
      assert.equal(redirect, `${program.url}/login?provider=main`, referer);
    }
  });

  it('gives the access token of the provider to anyone who signs in, with which they are admitted', async () => {
    const { status, json, headers } = await signIn('lovelace');
    assert.equal(status, 200);
    const { app_token, provider: name, refresh_token, privileges } = json.api_response;
    assert.deepEqual([name, privileges], ['main', ['R', 'W', 'E']]);
    assert.match(headers.getSetCookie().join(), /^XSRF-TOKEN=/);
    const whoami = (await program.request('/api/v1/user/whoami', { bearer: app_token })).json.api_response;
    assert.deepEqual(
      [whoami.username, whoami.name, whoami.is_admin, whoami.groups, whoami.favourite_views],
      ['lovelace', 'Ada Lovelace', true, ['soc', 'soc-admins'], ['assigned-to-lovelace']],
    );
    const refreshed = await program.request(LOGIN, { method: 'POST', json: { oauth_provider: 'main', refresh_token } });
    assert.equal(refreshed.status, 200);
    assert.equal(typeof refreshed.json.api_response.refresh_token, 'string');
    const again = await program.request('/api/v1/user/whoami', { bearer: refreshed.json.api_response.app_token });
    assert.equal(again.json.api_response.username, 'lovelace');
  });

  it('makes the view of what is assigned to them once, as a favourite', async () => {
    const { app_token: bearer } = (await signIn('lovelace')).json.api_response;
    await signIn('lovelace');
    const views = (await program.request('/api/v1/view', { bearer })).json.api_response;
    assert.deepEqual(
      views.map(({ title, query, type }: Record<string, string>) => [title, query, type]),
      [['view.assigned_to_me', 'howler.assignment:lovelace', 'readonly']],
    );
  });

  it('tells the groups as the provider names them, and those of the account to others', async () => {
    const bearer = await provider.accessToken('lovelace', 'alerts');
    const told = (await program.request('/api/v1/user/groups', { bearer })).json.api_response;
    assert.deepEqual(told, [
      { id: 'id-of-soc', name: 'soc' },
      { id: 'id-of-soc-admins', name: 'soc-admins' },
    ]);
    const unknown = await provider.accessToken('lovelace', 'alerts', { sub: 'nobody', email: 'nobody@example.org' });
    assert.equal((await program.request('/api/v1/user/groups', { bearer: unknown })).status, 503);
  });

  it('keeps API keys no longer than the token that makes them', async () => {
    const bearer = await provider.accessToken('lovelace', 'alerts');
    const make = (json: Record<string, unknown>, how: Record<string, string> = { bearer }) =>
      program.request('/api/v1/auth/apikey', { method: 'POST', json: { priv: 'RWE', ...json }, ...how });
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    assert.equal((await make({ name: 'endless' })).json.api_error_message, 'API keys must have an expiry date.');
    assert.match((await make({ name: 'long', expiry_date: at(700) })).json.api_error_message, /^Expiry date must be/);
    const { status, json } = await make({ name: 'short', expiry_date: at(500) });
    assert.equal(status, 200);
    const basic = `lovelace:${json.api_response.apikey}`;
    assert.equal((await make({ name: 'longer', expiry_date: at(550) }, { basic })).status, 400);
    assert.equal((await make({ name: 'endless' }, { basic })).status, 400);
    assert.equal((await make({ name: 'shorter', expiry_date: at(400) }, { basic })).status, 200);
    const { auth } = (await program.request('/api/v1/configs', { headers: { authorization: `Bearer ${bearer}` } })).json
      .api_response.configuration;
    assert.equal(auth.max_apikey_duration_unit, 'seconds');
    assert.ok(auth.max_apikey_duration_amount > 500 && auth.max_apikey_duration_amount <= 600);
    const forged = await program.request('/api/v1/configs', { headers: { authorization: `Bearer ${bearer}x` } });
    assert.equal(forged.json.api_response.configuration.auth.max_apikey_duration_unit, null);
  });

  it('refuses who may not come in, what is wrong and what comes twice', async () => {
    const refusal = ({ status, json }: TestAnswer) => [status, json.api_error_message];
    assert.deepEqual(refusal(await signIn('stranger')), [403, 'This user is not allowed access to the system']);
    const mismatch = [401, 'mismatching_state: CSRF Warning! State not equal in request and response.'];
    assert.deepEqual(refusal(await begin('provider=main&code=x&state=y')), mismatch);
    assert.deepEqual(refusal(await begin('provider=main&error=access_denied')), mismatch);
    assert.deepEqual(refusal(await begin('provider=nobody')), [400, 'There is no identity provider of that name.']);
    assert.deepEqual(refusal(await begin('provider=bearer')), [
      400,
      'The identity provider bearer has no client_id in the configuration, so it cannot be used to sign in.',
    ]);
    const begun = await begin();
    const back = await provider.signIn(locationOf(begun), 'hopper');
    const path = `${LOGIN}${back.search}`;
    assert.deepEqual(refusal(await program.request(path)), mismatch, 'without the cookie of the browser');
    const again = await begin();
    const other = await provider.signIn(locationOf(again), 'hopper');
    const cookie = new CookieJar(again).header;
    assert.equal((await program.request(`${LOGIN}${other.search}`, { headers: { cookie } })).status, 200);
    const replayed = await program.request(`${LOGIN}${other.search}`, { headers: { cookie } });
    assert.deepEqual(refusal(replayed), [401, 'invalid_grant: code not valid']);
    const refresh = (json: Record<string, unknown>) =>
      program.request(LOGIN, { method: 'POST', json: { provider: 'main', ...json } });
    assert.equal((await refresh({ refresh_token: 'guess' })).status, 401);
    assert.equal((await refresh({ refresh_token: 5 })).status, 400);
  });

  it('logs out: the app token is void, the refresh token is taken back', async () => {
    const { app_token: bearer, refresh_token } = (await signIn('hopper')).json.api_response;
    const logout = (json: unknown, how: Record<string, string>) =>
      program.request('/api/v1/auth/logout', { method: 'POST', json, ...how });
    const { alertsExchange } = program.foundation;
    const name = (await program.request('/api/v1/user/whoami', { bearer })).json.api_response.username;
    const exchanged = await alertsExchange.exchange(bearer, 'analysis', name);
    assert.equal(await alertsExchange.exchange(bearer, 'analysis', name), exchanged);
    const { json } = await logout({ provider: 'main', refresh_token }, { bearer });
    assert.notEqual(await alertsExchange.exchange(bearer, 'analysis', name), exchanged);
    assert.deepEqual(json.api_response, { success: true, end_session_url: `${provider.issuer}/session/end` });
    const refreshed = await program.request(LOGIN, { method: 'POST', json: { provider: 'main', refresh_token } });
    assert.equal(refreshed.status, 401);
    const { accounts } = program.foundation;
    await accounts.create('local', { name: 'Local', new_pass: 'long enough for all' });
    const basic = { user: 'local', password: 'long enough for all' };
    const own = (await program.request(LOGIN, { method: 'POST', json: basic })).json.api_response.app_token;
    assert.equal((await program.request('/api/v1/user/whoami', { bearer: own })).status, 200);
    assert.equal((await logout({}, { bearer: own })).status, 200);
    assert.equal((await program.request('/api/v1/user/whoami', { bearer: own })).status, 401);
    assert.equal((await logout(undefined, {})).status, 401);
  });

  it('writes who came in, who did not, and who left, and never a secret', () => {
    const count = (name: string) => events.filter(({ event }) => event === name).length;
    assert.deepEqual([count('user_created'), count('logout')], [5, 2]);
    assert.ok(count('login_succeeded') >= 6);
    assert.ok(
      events.some(
        ({ event, code, provider: name }) => event === 'login_failed' && code === 'not_admitted' && name === 'main',
      ),
    );
    assert.doesNotMatch(JSON.stringify(events), /eyJ|password-of|secret-of/);
  });
});
