import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { credentialOf } from '../../http/request-state.ts';
import { credentialFingerprint } from '../../identity/keys/api-key-records.ts';
import { hashPassword } from '../../identity/passwords/passwords.ts';
import { AppTokens } from '../../identity/sessions/app-tokens.ts';
import { basic, saveUser, storedKey } from '../../testing/identity/open-test-identity.ts';
import { presented, type TestRequest } from '../../testing/identity/presented-credentials.ts';
import { openEnrichment } from '../../testing/open-enrichment.ts';

const HEADERS = { user: 'x-user', apikey: 'x-apikey', authorization: 'authorization' } as const;

describe('an account at the enrichment service', () => {
  const accepted: readonly (readonly [string, TestRequest, string, string])[] = [
    ['an API key', { authorization: basic('ada:full:secret') }, 'api_key', 'RW'],
    ['a read-only API key', { authorization: basic('ada:readonly:secret') }, 'api_key', 'R'],
    ['a key in X-USER and X-APIKEY', { user: 'ada', apikey: 'full:secret' }, 'api_key', 'RW'],
    ['a read-only key in these headers', { user: 'ada', apikey: 'readonly:secret' }, 'api_key', 'R'],
  ];
  for (const [what, request, method, privileges] of accepted) {
    it(`calls with ${what} and its privileges`, async (context) => {
      const { enrichmentIdentity, call } = await openWithAccount(context);
      const { actor, credential } = await enrichmentIdentity.identify(presented(request));
      assert.deepEqual(
        [actor.username, actor.method, [...actor.privileges].join(''), actor.classification, actor.impersonator],
        ['ada', method, privileges, 'RESTRICTED', undefined],
      );
      assert.deepEqual(credential, { kind: 'local' });
      assert.equal((await call(request)).statusCode, 200);
    });
  }

  it('calls with an app token of the alert service and its privileges, until it is revoked', async (context) => {
    const { users, coordination, enrichmentIdentity, call } = await openWithAccount(context);
    const user = await users.get('ada');
    assert.ok(user);
    const appTokens = new AppTokens(coordination);
    const token = await appTokens.issue({
      username: 'ada',
      privileges: ['R'],
      keyName: 'full',
      credentialFingerprint: credentialFingerprint(user, 'full'),
    });
    const request = { authorization: `Bearer ${token}` };
    const { actor, credential } = await enrichmentIdentity.identify(presented(request));
    assert.deepEqual([actor.username, actor.method, [...actor.privileges]], ['ada', 'app_token', ['R']]);
    assert.deepEqual(credential, { kind: 'local' });
    assert.equal((await call(request)).statusCode, 200);
    await appTokens.revokeAll('ada');
    assert.equal((await call(request)).statusCode, 401);
  });

  const refused: readonly (readonly [string, TestRequest, number, string])[] = [
    ['a wrong secret', { authorization: basic('ada:full:wrong') }, 403, 'unknown_service_key'],
    ['an unknown key', { authorization: basic('ada:other:secret') }, 403, 'unknown_service_key'],
    ['an unknown user', { authorization: basic('nobody:full:secret') }, 403, 'unknown_service_key'],
    ['an expired key', { authorization: basic('ada:expired:secret') }, 403, 'unknown_service_key'],
    ['a key for impersonation', { authorization: basic('ada:agent:secret') }, 403, 'unknown_service_key'],
    ['its password', { authorization: basic('ada:password') }, 403, 'unknown_service_key'],
    ['a password that looks like a key', { authorization: basic('colon:pass:word') }, 403, 'unknown_service_key'],
    ['the name of a configured key', { authorization: basic('robot:full:secret') }, 403, 'wrong_service_key'],
    ['a wrong secret in X-APIKEY', { user: 'ada', apikey: 'full:wrong' }, 401, 'invalid_login'],
    ['its password in X-APIKEY', { user: 'ada', apikey: 'password' }, 401, 'invalid_login'],
    ['an unknown app token', { authorization: 'Bearer ada:0000' }, 401, 'invalid_token'],
    ['an app token without a secret', { authorization: 'Bearer ada:' }, 401, 'no_authenticated_user'],
    [
      'a key beside a header that decides alone',
      { authorization: 'Digest abc', user: 'ada', apikey: 'full:secret' },
      400,
      'unknown_authorization_scheme',
    ],
    ['a disabled account', { authorization: basic('off:full:secret') }, 403, 'account_disabled'],
    ['a key without privileges', { authorization: basic('ada:empty:secret') }, 403, 'missing_privilege'],
  ];
  for (const [what, request, status, code] of refused) {
    it(`is refused with ${what}`, async (context) => {
      const { call, events, lines } = await openWithAccount(context);
      const answer = await call(request);
      assert.equal(answer.statusCode, status, answer.body);
      assert.deepEqual(answer.json().api_response, { success: false });
      if (code !== 'missing_privilege') assert.equal(events.at(-1)?.code, code);
      assert.doesNotMatch(JSON.stringify([events, lines, answer.body]), /secret|pass:word/);
    });
  }

  it('is rejected and audited while API keys are disabled', async (context) => {
    const { call, events } = await openWithAccount(context, { 'auth.allow_apikeys': false });
    for (const request of [{ authorization: basic('ada:full:secret') }, { user: 'ada', apikey: 'full:secret' }]) {
      assert.equal((await call(request)).statusCode, 403);
      assert.equal(events.at(-1)?.code, 'api_keys_disabled');
    }
  });
});

describe('credentialOf', () => {
  it('returns the kind of the credential of a request, and throws on public routes', async (context) => {
    const { app, call } = await openWithAccount(context);
    const kinds: unknown[] = [];
    app.addHook('preHandler', async (request) => {
      try {
        kinds.push(credentialOf(request).kind);
      } catch {
        kinds.push('none');
      }
    });
    await call({ authorization: basic('ada:full:secret') });
    await app.inject({
      url: '/api/',
      headers: { authorization: basic('robot:robot-secret'), 'x-userid': 'x', 'x-classification': 'UNRESTRICTED' },
    });
    await app.inject({ url: '/healthz/' });
    assert.deepEqual(kinds, ['local', 'vouched', 'none']);
  });
});

async function openWithAccount(context: TestContext, flags: Record<string, unknown> = {}) {
  const opened = await openEnrichment(context, flags);
  const { users, app } = opened;
  const apikeys = {
    full: storedKey('secret', ['R', 'W']),
    readonly: storedKey('secret', ['R']),
    empty: storedKey('secret', []),
    expired: storedKey('secret', ['R'], { expiry_date: '2023-05-30T05:12:28.000000Z' }),
    agent: storedKey('secret', ['R', 'I'], { agents: ['ada'] }),
  };
  await saveUser(users, 'ada', { classification: 'RESTRICTED', apikeys });
  await saveUser(users, 'off', { is_active: false, apikeys });
  await saveUser(users, 'colon', { password: await hashPassword('pass:word') });
  const call = (request: TestRequest) => {
    const headers = Object.entries(HEADERS).flatMap(([name, header]) => {
      const value = request[name as keyof typeof HEADERS];
      return value === undefined ? [] : [[header, value]];
    });
    return app.inject({ url: '/api/', headers: Object.fromEntries(headers) });
  };
  return { ...opened, call };
}
