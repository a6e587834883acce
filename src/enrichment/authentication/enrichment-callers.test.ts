import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { basic } from '../../testing/identity/open-test-identity.ts';
import { presented } from '../../testing/identity/presented-credentials.ts';
import { openEnrichment } from '../../testing/open-enrichment.ts';
import { sendRaw } from '../../testing/servers/raw-request.ts';

const KEY = basic('robot:robot-secret');
const NAMED = { 'x-userid': 'grace', 'x-classification': 'UNRESTRICTED' };

describe('a program with a configured key', () => {
  it('calls for the users that it names', async (context) => {
    const { app, enrichmentIdentity } = await openEnrichment(context);
    const answer = await app.inject({ url: '/api/', headers: { authorization: KEY, ...NAMED } });
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.json().api_response, ['v1']);
    const named = { userId: 'grace', classification: 'r//adm', name: 'Grace', email: 'grace@example.org' };
    const actor = await enrichmentIdentity.authenticate(presented({ authorization: KEY, ...named }));
    assert.deepEqual(
      [actor.username, actor.name, actor.email, actor.keyName, actor.impersonator, actor.isAdmin],
      ['grace', 'Grace', 'grace@example.org', 'robot', 'robot', false],
    );
    assert.equal(actor.classification, 'RESTRICTED//ADMIN');
    assert.deepEqual([...actor.privileges, ...actor.roles], ['R', 'W', 'user']);
  });

  const refused: readonly (readonly [string, string | undefined, Record<string, string>, number, string])[] = [
    ['no credential', undefined, NAMED, 401, 'no_credentials'],
    ['no user', KEY, { 'x-classification': 'UNRESTRICTED' }, 403, 'caller_not_named'],
    ['no classification', KEY, { 'x-userid': 'grace' }, 403, 'caller_not_named'],
    ['an unknown classification', KEY, { ...NAMED, 'x-classification': 'VERY SECRET' }, 400, 'invalid_classification'],
    ['a long name', KEY, { ...NAMED, 'x-userid': 'x'.repeat(300) }, 400, 'invalid_caller'],
    ['an unknown key', basic('nobody:robot-secret'), NAMED, 403, 'unknown_service_key'],
    ['a key that every object has', basic('constructor:x'), NAMED, 403, 'unknown_service_key'],
    ['a wrong secret', basic('robot:robot-secret1'), NAMED, 403, 'wrong_service_key'],
    ['no secret', basic('robot:'), NAMED, 403, 'malformed_api_key'],
    ['no colon', basic('robot'), NAMED, 400, 'malformed_authorization'],
    ['an opaque token', 'Bearer abcdef', NAMED, 400, 'malformed_authorization'],
    ['another scheme', 'Digest abc', NAMED, 400, 'unknown_authorization_scheme'],
  ];
  for (const [what, authorization, headers, status, code] of refused) {
    it(`is refused with ${what}, and the audit log says why`, async (context) => {
      const { app, events, lines } = await openEnrichment(context);
      const answer = await app.inject({
        url: '/api/',
        headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
      });
      assert.equal(answer.statusCode, status);
      assert.deepEqual(answer.json().api_response, { success: false });
      const reported = events.map((event) => [event.event, event.service, event.code, event.call]);
      assert.deepEqual(reported, status === 401 ? [] : [['credential_refused', 'enrichment', code, 'GET /api/']]);
      assert.ok(!JSON.stringify([events, lines, answer.body]).includes('robot-secret'));
    });
  }

  it('is refused when headers that name the user are sent twice', async (context) => {
    const { app } = await openEnrichment(context);
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { ...NAMED, authorization: KEY };
    assert.equal((await sendRaw(`${url}/api/`, { headers })).status, 200);
    const twice = { ...headers, 'x-userid': ['grace', 'ada'] };
    assert.equal((await sendRaw(`${url}/api/`, { headers: twice })).status, 400);
  });

  it('is refused while API keys are switched off', async (context) => {
    const { app } = await openEnrichment(context, { 'auth.allow_apikeys': false });
    const answer = await app.inject({ url: '/api/', headers: { authorization: KEY, ...NAMED } });
    assert.equal(answer.statusCode, 403);
  });

  it('is made to wait after too many wrong secrets from its network, also with the right one', async (context) => {
    const { app, events } = await openEnrichment(context, { 'auth.internal.max_failures_per_address': 3 });
    const send = (authorization: string, remoteAddress: string) =>
      app.inject({ url: '/api/', headers: { authorization, ...NAMED }, remoteAddress });
    for (let tries = 0; tries < 3; tries += 1) {
      assert.equal((await send(basic(`robot:guess-${tries}`), '192.0.2.7')).statusCode, 403);
    }
    const throttled = await send(KEY, '192.0.2.7');
    assert.equal(throttled.statusCode, 429);
    assert.equal(throttled.headers['retry-after'], '60');
    assert.equal((await send(KEY, '192.0.2.8')).statusCode, 200);
    assert.equal(events.at(-1)?.code, 'too_many_failed_logins');
  });
});

describe('an access token', () => {
  it('is good for whom the provider admits, and gives the account of all services', async (context) => {
    const { provider, app, users, enrichmentIdentity } = await openWithProvider(context);
    const token = await provider.accessToken('hopper', 'enrichment');
    assert.equal((await call(app, token)).statusCode, 200);
    const user = await users.get('hopper');
    assert.ok(user);
    const named = { userId: 'somebody-else', classification: 'RESTRICTED' };
    const actor = await enrichmentIdentity.authenticate(presented({ authorization: `Bearer ${token}`, ...named }));
    assert.deepEqual([actor.username, actor.method, [...actor.privileges]], ['hopper', 'oauth', ['R', 'W']]);
    assert.equal(actor.classification, 'UNRESTRICTED', 'headers that only keys may send change nothing');
  });

  it('is refused when it is for another service, expired or nonsense', async (context) => {
    const { provider, app, users } = await openWithProvider(context);
    for (const token of [
      await provider.accessToken('hopper', 'alerts'),
      await provider.accessToken('hopper', 'enrichment', { exp: Math.floor(Date.now() / 1000) - 60 }),
      'a.b.c',
      'a.b',
    ]) {
      const answer = await call(app, token);
      assert.equal(answer.statusCode, 401);
      assert.deepEqual(answer.json().api_response, { success: false });
    }
    assert.equal(await users.get('hopper'), undefined, 'nothing was made');
  });

  it('is not held against anyone while the provider cannot be asked', async (context) => {
    const { provider, app, events } = await openWithProvider(context);
    const token = await provider.accessToken('hopper', 'enrichment');
    await provider.stop();
    assert.equal((await call(app, token)).statusCode, 503);
    assert.deepEqual(events, [], 'what could not be checked was not refused');
  });

  it('is refused as soon as the account is switched off', async (context) => {
    const { provider, app, users, clock, events } = await openWithProvider(context);
    const token = await provider.accessToken('hopper', 'enrichment');
    assert.equal((await call(app, token)).statusCode, 200);
    await users.update('hopper', [{ op: 'set', path: 'is_active', value: false }]);
    clock.now += 1_000;
    const answer = await call(app, token);
    assert.equal(answer.statusCode, 403);
    assert.equal(events.at(-1)?.code, 'account_disabled');
  });
});

async function openWithProvider(context: TestContext) {
  const provider = await startIdentityProvider();
  context.after(() => provider[Symbol.asyncDispose]());
  const opened = await openEnrichment(context, {
    'auth.oauth.enabled': true,
    'auth.oauth.providers': { main: provider.settings() },
  });
  return { ...opened, provider };
}

type App = Awaited<ReturnType<typeof openEnrichment>>['app'];

function call(app: App, token: string) {
  return app.inject({ url: '/api/', headers: { authorization: `Bearer ${token}` } });
}
