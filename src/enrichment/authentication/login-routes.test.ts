import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openEnrichment } from '../../testing/open-enrichment.ts';

const UI = 'https://ui.example.org';

describe('a login through an identity provider', () => {
  it('sends the browser there and gives it an access token when it comes back', async (context) => {
    const { app, provider, begin, comeBack, users, events } = await open(context);
    const begun = await begin({ nonce: 'feedfacefeedface' });
    assert.equal(begun.address.origin, provider.issuer);
    assert.equal(begun.address.searchParams.get('redirect_uri'), `${UI}/login?provider=main`);
    assert.equal(begun.address.searchParams.get('nonce'), 'feedfacefeedface');
    assert.match(begun.cookie, /^session=login\.[\w-]{43}; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/);

    const answer = await comeBack(await provider.signIn(begun.address, 'lovelace'), begun.cookie);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.match(String(answer.headers['set-cookie']), /^XSRF-TOKEN=[A-Z2-7]{40};(?!.*HttpOnly)/);
    const { app_token, refresh_token, user, ...rest } = answer.json().api_response;
    assert.deepEqual(rest, { privileges: ['R', 'W'], provider: 'main' });
    assert.deepEqual(user, {
      avatar: null,
      classification: 'UNRESTRICTED',
      email: 'ada.lovelace@example.org',
      groups: ['soc', 'soc-admins'],
      name: 'Ada Lovelace',
      password: '__NO_PASSWORD__',
      type: ['user', 'admin'],
      uname: 'lovelace',
    });
    assert.equal((await users.get('lovelace'))?.email, user.email, 'it is the account of all services');
    const called = await app.inject({ url: '/api/', headers: { authorization: `Bearer ${app_token}` } });
    assert.equal(called.statusCode, 200);

    const refreshed = await app.inject({
      method: 'POST',
      url: '/api/v1/auth/login/',
      payload: { oauth_provider: 'main', refresh_token },
    });
    assert.equal(refreshed.statusCode, 200);
    assert.deepEqual(Object.keys(refreshed.json().api_response), Object.keys(answer.json().api_response));
    const succeeded = events.filter(({ event }) => event === 'login_succeeded');
    assert.deepEqual(
      succeeded.map(({ service, user: name, method }) => [service, name, method]),
      [
        ['enrichment', 'lovelace', 'oauth'],
        ['enrichment', 'lovelace', 'oauth'],
      ],
    );
    assert.ok(!JSON.stringify(events).includes(app_token));
  });

  it('ends in the browser that began it, once', async (context) => {
    const { provider, begin, comeBack, users } = await open(context);
    const begun = await begin({});
    const back = await provider.signIn(begun.address, 'lovelace');
    const stolen = await comeBack(back, (await begin({})).cookie);
    assert.equal(stolen.statusCode, 401);
    assert.match(stolen.json().api_error_message, /^mismatching_state: /);
    assert.equal((await comeBack(back, begun.cookie)).statusCode, 401, 'a state that was tried is void');
    assert.equal(await users.get('lovelace'), undefined);
  });

  it('never sends the browser back to an unknown page', async (context) => {
    const { begin } = await open(context);
    const redirects = {
      [`${UI}/a/page?x=1`]: `${UI}/login?provider=main`,
      'https://one.apps.example.org/': 'https://one.apps.example.org/login?provider=main',
      'https://other.example.org:8443/x': 'https://other.example.org:8443/login?provider=main',
      'https://evil.example/': 'http://triad.example.org/login?provider=main',
      'https://ui.example.org.evil.example/': 'http://triad.example.org/login?provider=main',
      'javascript:alert(1)': 'http://triad.example.org/login?provider=main',
    };
    for (const [referer, expected] of Object.entries(redirects)) {
      const { address } = await begin({}, { referer });
      assert.equal(address.searchParams.get('redirect_uri'), expected);
    }
  });

  const refused: readonly (readonly [string, object, number, RegExp])[] = [
    ['nothing', {}, 401, /^Not enough information/],
    ['a password', { user: 'a', password: 'b' }, 401, /^Not enough information/],
    ['an unknown provider', { provider: 'Main' }, 400, /no identity provider/],
    ['a wrong refresh token', { provider: 'main', refresh_token: 'x' }, 401, /^invalid_grant/],
    ['no state', { provider: 'main', code: 'x' }, 401, /^mismatching_state/],
    ['a list', { provider: ['main'] }, 400, /must be a string/],
  ];
  for (const [what, payload, status, message] of refused) {
    it(`is refused with ${what}`, async (context) => {
      const { app } = await open(context);
      for (const url of ['/api/v1/auth/login', '/api/login/']) {
        const answer = await app.inject({ method: 'POST', url, payload });
        assert.equal(answer.statusCode, status);
        assert.match(answer.json().api_error_message, message);
        assert.deepEqual(answer.json().api_response, { success: false });
      }
    });
  }

  it('is refused while OAuth is switched off', async (context) => {
    const { app } = await openEnrichment(context);
    const answer = await app.inject('/api/v1/auth/login?provider=main');
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().api_error_message, 'OAuth is disabled.');
  });

  it('says that the provider is down, and works again when it is up', async (context) => {
    const { app, provider, providerClock, begin } = await open(context);
    await provider.stop();
    assert.equal((await app.inject('/api/v1/auth/login?provider=main')).statusCode, 503);
    assert.equal((await app.inject('/api/v1/configs')).statusCode, 200);
    await provider.start();
    providerClock.ahead = 10_000;
    assert.equal((await begin({})).address.origin, provider.issuer);
  });
});

async function open(context: TestContext) {
  const provider = await startIdentityProvider({ redirects: [`${UI}/login?provider=main`] });
  context.after(() => provider[Symbol.asyncDispose]());
  const opened = await openEnrichment(context, {
    'auth.oauth.enabled': true,
    'auth.oauth.gravatar_enabled': false,
    'auth.oauth.redirect_origins': ['https://other.example.org:8443'],
    'auth.oauth.providers': { main: provider.settings({ role_map: { admin: 'soc-admins' } }) },
    'enrichment.cors_origins': [UI, 'https://.*\\.apps\\.example\\.org'],
  });
  const { app } = opened;
  const begin = async (query: Record<string, string>, headers: Record<string, string> = { referer: `${UI}/` }) => {
    const answer = await app.inject({
      url: '/api/v1/auth/login',
      query: { provider: 'main', ...query },
      headers: { host: 'triad.example.org', ...headers },
    });
    assert.equal(answer.statusCode, 302, answer.body);
    return { address: new URL(String(answer.headers.location)), cookie: String(answer.headers['set-cookie']) };
  };
  const comeBack = (back: URL, cookie: string) =>
    app.inject({
      url: '/api/v1/auth/login',
      query: Object.fromEntries(back.searchParams),
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
  return { ...opened, provider, begin, comeBack };
}
