import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openTestSignIn } from '../../testing/identity/open-test-sign-in.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { CodeLogin, type LoginAnswer, type LoginBeginning } from './code-login.ts';

const PAGE = 'https://triad.example/login?provider=main';
const ORIGIN = { service: 'alerts', address: '192.0.2.7', call: 'GET /api/v1/auth/login' } as const;

describe('CodeLogin', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider({ redirects: [PAGE] });
  });
  after(() => provider[Symbol.asyncDispose]());

  type Context = Parameters<typeof openTestSignIn>[0];
  async function open(context: Context, settings: Readonly<Record<string, unknown>> = {}) {
    const parts = await openTestSignIn(context, { main: provider.settings(settings), other: provider.settings() });
    const { codeLogin } = parts;
    const begin = (more: Partial<LoginBeginning> = {}) =>
      codeLogin.begin({ provider: 'main', service: 'alerts', origin: ORIGIN, redirectAddress: PAGE, ...more });
    const finish = (more: Partial<LoginAnswer>) =>
      codeLogin.finish({ provider: 'main', service: 'alerts', origin: ORIGIN, binding: undefined, ...more });
    /** The parameters that the page gets from the provider, with the cookie of the browser. */
    const answered = async (username = 'lovelace', more: Partial<LoginBeginning> = {}) => {
      const { address, binding } = await begin(more);
      const back = await provider.signIn(address, username);
      return { ...Object.fromEntries(back.searchParams), binding } as { code: string; state: string; binding: string };
    };
    return { ...parts, begin, finish, answered };
  }

  it('sends the browser to the provider with PKCE, a state and a nonce of its own or of the page', async (context) => {
    const { begin } = await open(context, { authorize_params: { prompt: 'login' } });
    const { searchParams, origin } = new URL((await begin()).address);
    assert.equal(origin, provider.issuer);
    assert.equal(searchParams.get('redirect_uri'), PAGE);
    assert.equal(searchParams.get('scope'), 'openid email profile');
    assert.equal(searchParams.get('response_type'), 'code');
    assert.equal(searchParams.get('client_id'), 'triad-alerts');
    assert.equal(searchParams.get('prompt'), 'login');
    assert.equal(searchParams.get('code_challenge_method'), 'S256');
    for (const name of ['code_challenge', 'state', 'nonce'])
      assert.ok((searchParams.get(name)?.length ?? 0) >= 40, name);
    const own = new URL((await begin({ nonce: 'abc' })).address).searchParams;
    assert.equal(own.get('nonce'), 'abc');
    assert.notEqual(own.get('state'), searchParams.get('state'));
    for (const nonce of ['', 'a b', 'x'.repeat(257), 'é']) {
      await assert.rejects(begin({ nonce }), { code: 'wrong_argument_kind' });
    }
    const { searchParams: without } = new URL((await begin({ provider: 'other' })).address);
    assert.equal(without.get('prompt'), null);
  });

  it('does without PKCE where the provider refuses its parameters', async (context) => {
    const { begin } = await open(context, { pkce: false });
    const names = [...new URL((await begin()).address).searchParams.keys()].sort();
    assert.deepEqual(names, ['client_id', 'nonce', 'redirect_uri', 'response_type', 'scope', 'state']);
    await using scripted = await startScriptedServer(() => ({ status: 400, body: { error: 'invalid_grant' } }));
    const addresses = Object.fromEntries(
      ['authorize_url', 'access_token_url', 'jwks_uri'].map((name) => [name, `${scripted.url}/${name}`]),
    );
    const other = await open(context, { ...addresses, discovery_url: null, pkce: false });
    const { address, binding } = await other.begin();
    const state = new URL(address).searchParams.get('state') ?? '';
    await assert.rejects(other.finish({ code: 'x', state, binding }), { message: 'invalid_grant' });
    assert.doesNotMatch(scripted.requests.at(-1)?.body ?? '', /code_verifier/);
  });

  it('signs in anyone who comes back from the form, and writes it', async (context) => {
    const { answered, finish, events } = await open(context, { role_map: { admin: 'soc-admins' } });
    const { user, token, refreshToken, profile } = await finish(await answered('lovelace', { nonce: 'n-1' }));
    assert.deepEqual([user.uname, user.type, profile.name], ['lovelace', ['admin', 'user'], 'Ada Lovelace']);
    const claims = decodeJwt(token.token);
    assert.deepEqual([claims.aud, claims.sub, claims.azp], ['alerts-api', 'lovelace', 'triad-alerts']);
    assert.equal(typeof refreshToken, 'string');
    const signedIn = { ...ORIGIN, event: 'login_succeeded', method: 'oauth', provider: 'main', user: 'lovelace' };
    assert.deepEqual(events.slice(1), [{ ...signedIn, subject: 'lovelace', azp: 'triad-alerts' }]);
    assert.equal(events[0]?.event, 'user_created');
  });

  it('is the same user with the token afterwards, regardless of what the token alone says', async (context) => {
    const { answered, finish, oauth } = await open(context);
    const { user, token } = await finish(await answered());
    const again = await oauth.verifier.verify(token.token, 'alerts');
    assert.equal((await oauth.accounts.userOf(again, 'alerts', ORIGIN)).uname, user.uname);
  });

  it('works for several tabs of a browser at once', async (context) => {
    const { answered, finish } = await open(context);
    const first = await answered();
    const second = await answered('lovelace', { binding: first.binding });
    assert.equal(second.binding, first.binding);
    assert.equal((await finish(first)).user.uname, 'lovelace');
    assert.equal((await finish(second)).user.uname, 'lovelace');
    assert.notEqual((await answered('lovelace', { binding: 'chosen by somebody' })).binding, 'chosen by somebody');
  });

  it('refuses an answer that is not of this login, and asks the provider nothing', async (context) => {
    const { answered, finish, users, events } = await open(context);
    const mismatch = { kind: 'unauthenticated', code: 'login_state_mismatch' };
    const good = await answered();
    const asked = provider.requests.length;
    const { code, state, binding } = good;
    await assert.rejects(finish({ code, binding }), mismatch, 'without a state');
    await assert.rejects(finish({ code, binding, state: 'x' }), mismatch, 'of another state');
    await assert.rejects(finish({ code, binding, state: 'x'.repeat(20_000) }), mismatch, 'of a huge state');
    await assert.rejects(finish({ code, state }), mismatch, 'without the cookie');
    await assert.rejects(finish(good), mismatch, 'after that');
    for (const other of [{ binding: 'x'.repeat(43) }, { provider: 'other' }, { service: 'enrichment' as const }]) {
      await assert.rejects(finish({ ...(await answered()), ...other }), mismatch);
    }
    assert.equal(provider.requests.slice(asked).filter((one) => one.startsWith('POST /token')).length, 0);
    assert.deepEqual(await users.list(), []);
    assert.equal(events.length, 8);
    assert.ok(events.every((event) => event.event === 'login_failed' && event.code === 'login_state_mismatch'));
  });

  it('takes every answer once', async (context) => {
    const { answered, finish } = await open(context);
    const good = await answered();
    await finish(good);
    await assert.rejects(finish(good), { code: 'provider_refused', message: 'invalid_grant: code not valid' });
    await assert.rejects(finish({ ...good, code: 'another' }), { code: 'login_state_mismatch' });
  });

  it('refuses a code of another login: PKCE and nonce', async (context) => {
    const { answered, finish, users } = await open(context);
    const stolen = await answered('lovelace');
    const own = await answered('hopper');
    await assert.rejects(finish({ ...own, code: stolen.code }), {
      code: 'provider_refused',
      message: /^invalid_grant/,
    });
    const other = await answered('hopper', { nonce: 'mine' });
    await assert.rejects(finish({ ...other, nonce: 'another' }), { code: 'provider_refused' });
    assert.deepEqual(await users.list(), []);
  });

  it('refuses an answer of another issuer (RFC 9207)', async (context) => {
    const { answered, finish } = await open(context);
    const failure = { code: 'provider_answer_refused' };
    await assert.rejects(finish({ ...(await answered()), iss: 'https://evil.example' }), failure);
    const { iss: _left, ...without } = (await answered()) as Awaited<ReturnType<typeof answered>> & { iss?: string };
    assert.equal((await finish(without)).user.uname, 'lovelace');
    // A provider that names itself always does so: here someone took the name away.
    const { iss: _taken, ...shortened } = (await answered()) as Awaited<ReturnType<typeof answered>> & { iss?: string };
    await assert.rejects(finish({ ...shortened, isComplete: true }), failure);
    assert.equal((await finish({ ...(await answered()), isComplete: true })).user.uname, 'lovelace');
  });

  it('audits a verified answer when it is finished, and a refused one at once', async (context) => {
    const { answered, codeLogin, events } = await open(context);
    const place = { provider: 'main', service: 'alerts', origin: ORIGIN } as const;
    await codeLogin.verify({ ...place, ...(await answered()) });
    const kinds = () => events.map(({ event }) => event);
    assert.deepEqual(kinds(), ['user_created']);
    await assert.rejects(codeLogin.verify({ ...place, ...(await answered()), state: 'x' }));
    await codeLogin.finish({ ...place, ...(await answered()) });
    assert.deepEqual(kinds(), ['user_created', 'login_failed', 'login_succeeded']);
  });

  it('tells what the provider refused, as text', async (context) => {
    const { begin, finish } = await open(context);
    const { address, binding } = await begin();
    const state = new URL(address).searchParams.get('state') ?? '';
    const error = { error: 'access_denied', error_description: `not you\n<b>${'x'.repeat(500)}` };
    await assert.rejects(finish({ state, binding, ...error }), (thrown: Error) => {
      assert.match(thrown.message, /^access_denied: not you <b>x+$/);
      return thrown.message.length === 200;
    });
  });

  it('refuses anyone who the rules do not admit, or who is switched off', async (context) => {
    const { answered, finish, users, events } = await open(context, { required_groups: ['soc'] });
    await assert.rejects(finish(await answered('stranger')), { kind: 'forbidden', code: 'not_admitted' });
    assert.deepEqual(await users.list(), []);
    const { refreshToken } = await finish(await answered('hopper'));
    assert.ok(refreshToken);
    await users.update('hopper', [{ op: 'set', path: 'is_active', value: false }]);
    await assert.rejects(finish(await answered('hopper')), { kind: 'forbidden', code: 'account_disabled' });
    assert.equal(events.at(-1)?.code, 'account_disabled');
  });

  it('refreshes, and refuses what is not a refresh token or is used at another client', async (context) => {
    const { answered, finish, codeLogin, users } = await open(context);
    const place = { provider: 'main', service: 'alerts', origin: ORIGIN } as const;
    const first = await finish(await answered());
    const refreshed = await codeLogin.refresh({ ...place, refreshToken: first.refreshToken ?? '' });
    assert.equal(refreshed.user.uname, 'lovelace');
    assert.notEqual(refreshed.token.token, first.token.token);
    const failure = { code: 'provider_refused', message: /^invalid_grant/ };
    await assert.rejects(codeLogin.refresh({ ...place, refreshToken: 'nonsense' }), failure);
    await assert.rejects(codeLogin.refresh({ ...place, refreshToken: 'x'.repeat(20_000) }), failure);
    const refreshToken = refreshed.refreshToken ?? first.refreshToken ?? '';
    await assert.rejects(codeLogin.refresh({ ...place, service: 'analysis', refreshToken }), failure);
    await users.update('lovelace', [{ op: 'set', path: 'is_active', value: false }]);
    await assert.rejects(codeLogin.refresh({ ...place, refreshToken }), { code: 'account_disabled' });
  });

  it('refuses further refresh tokens of an address that sent too many bad ones, and accepts those that it issued', async (context) => {
    const { codeLogin, finish, answered, coordination } = await open(context);
    const place = { provider: 'main', service: 'alerts', origin: ORIGIN } as const;
    const { refreshToken } = await finish(await answered());
    assert.ok(refreshToken);
    const guess = (more: Partial<LoginAnswer> = {}) => codeLogin.refresh({ ...place, ...more, refreshToken: 'guess' });
    const asked = () => provider.requests.filter((line) => line === 'POST /token').length;
    const before = asked();
    const guesses = await Promise.allSettled(Array.from({ length: 70 }, () => guess()));
    const codes = guesses.map((one) => (one.status === 'rejected' ? one.reason.code : 'accepted'));
    assert.equal(codes.filter((code) => code === 'provider_refused').length, 60);
    assert.equal(asked() - before, 60);
    await assert.rejects(guess(), {
      kind: 'too_many_requests',
      code: 'too_many_refused_refreshes',
      retryAfter: 60,
    });
    const refused = { code: 'provider_refused' };
    await assert.rejects(guess({ origin: { ...ORIGIN, address: '192.0.2.2' } }), refused);
    await assert.rejects(guess({ provider: 'other' }), refused);
    await assert.rejects(guess({ service: 'enrichment' }), refused);
    await codeLogin.refresh({ ...place, refreshToken });
    await codeLogin.refresh({ ...place, refreshToken });
    await codeLogin.end({ ...place, refreshToken });
    await assert.rejects(codeLogin.refresh({ ...place, refreshToken }), refused);
    await assert.rejects(codeLogin.refresh({ ...place, refreshToken }), { code: 'too_many_refused_refreshes' });
    const left = await coordination.counters.get('oauth-refused-refreshes:alerts:main:192.0.2.7');
    assert.equal(left, 60);
  });

  it('does not count refresh tokens that a provider accepts, or cannot check', async (context) => {
    const { codeLogin, finish, answered, coordination } = await open(context);
    const place = { provider: 'main', service: 'alerts', origin: ORIGIN } as const;
    const { refreshToken } = await finish(await answered());
    assert.ok(refreshToken);
    // As after an upgrade: nothing is known of the token.
    await coordination.tokens.removeWithPrefix('oauth-refresh-token:');
    await codeLogin.refresh({ ...place, refreshToken });
    const counted = () => coordination.counters.get('oauth-refused-refreshes:alerts:main:192.0.2.7');
    assert.equal(await counted(), 0);
    await provider.stop();
    await assert.rejects(codeLogin.refresh({ ...place, refreshToken: 'guess' }), { kind: 'unavailable' });
    await provider.start();
    assert.equal(await counted(), 0);
  });

  it('takes a refresh token back at the end', async (context) => {
    const { answered, finish, codeLogin } = await open(context);
    const place = { provider: 'main', service: 'alerts', origin: ORIGIN } as const;
    const refreshToken = (await finish(await answered())).refreshToken ?? '';
    assert.equal(await codeLogin.end({ ...place, refreshToken }), `${provider.issuer}/session/end`);
    await assert.rejects(codeLogin.refresh({ ...place, refreshToken }), { code: 'provider_refused' });
  });

  it('asks the provider when tokens leave the address out, and believes what it says of the user alone', async (context) => {
    for (const [sub, expected] of [
      ['lovelace', 'ada'],
      [undefined, 'ada'],
      ['hopper', undefined],
    ] as const) {
      const told = { mail: 'ada@example.org', uname: 'ada', ...(sub === undefined ? {} : { sub }) };
      await using server = await startScriptedServer(() => ({ body: told }));
      const settings = {
        email_fields: ['mail'],
        trust_email: true,
        uid_field: 'uname',
        user_get: '/me',
        api_base_url: server.url,
      };
      const { answered, finish } = await open(context, settings);
      const signingIn = finish(await answered());
      if (expected === undefined) await assert.rejects(signingIn, { code: 'not_admitted' });
      else assert.equal((await signingIn).user.uname, expected);
      assert.equal(server.requests.length, 1);
      assert.match(server.requests[0]?.headers.authorization ?? '', /^Bearer eyJ/);
    }
  });

  it('is begun in one process and ended in another', async (context) => {
    const { answered, coordination, audit, log, registry, oauth, users } = await open(context);
    const there = new CodeLogin({ registry, ...oauth, coordination, audit, log });
    const place = { provider: 'main', service: 'alerts', origin: ORIGIN } as const;
    await there.finish({ ...place, ...(await answered()) });
    assert.equal((await users.list()).length, 1);
  });

  it('is begun so often at one address, and no more', async (context) => {
    const { begin, coordination } = await open(context);
    const from = (address: string) => begin({ origin: { ...ORIGIN, address } });
    await coordination.counters.increment('oauth-begun-logins::192.0.2.7', 60_000, { by: 999 });
    await from('192.0.2.7');
    await assert.rejects(from('192.0.2.7'), {
      kind: 'too_many_requests',
      code: 'too_many_begun_logins',
      retryAfter: 60,
    });
    await from('192.0.2.8');
  });

  it('knows providers by their exact name, and admits the networks of each', async (context) => {
    const { begin, finish, codeLogin } = await open(context, { ip_filter: ['192.0.2.0/30', '2001:db8::/32'] });
    for (const name of ['Main', '', '__proto__', 'constructor', 'main ']) {
      await assert.rejects(begin({ provider: name }), { kind: 'invalid_input', code: 'unknown_provider' });
    }
    const from = (address: string | undefined) => begin({ origin: { ...ORIGIN, address } });
    for (const address of ['192.0.2.1', '::ffff:192.0.2.2', '2001:db8::1']) await from(address);
    for (const address of ['192.0.2.7', '::1', undefined, 'x']) {
      await assert.rejects(from(address), { kind: 'forbidden', code: 'address_not_admitted' });
    }
    await assert.rejects(finish({ code: 'x', state: 'x' }), { code: 'address_not_admitted' });
    const refused = codeLogin.refresh({ provider: 'main', service: 'alerts', origin: ORIGIN, refreshToken: 'x' });
    await assert.rejects(refused, { code: 'address_not_admitted' });
  });

  it('says that a provider does not answer, and continues when it does again', async (context) => {
    const { answered, finish, begin, codeLogin, events } = await open(context);
    const good = await answered();
    await provider.stop();
    try {
      const down = { kind: 'unavailable', code: 'identity_provider_unavailable' };
      await assert.rejects(finish(good), down);
      const place = { provider: 'main', service: 'alerts', origin: ORIGIN } as const;
      await assert.rejects(codeLogin.refresh({ ...place, refreshToken: 'x' }), down);
      await begin();
    } finally {
      await provider.start();
    }
    assert.deepEqual(events, []);
    assert.equal((await finish(await answered())).user.uname, 'lovelace');
  });
});
