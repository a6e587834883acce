import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startIdentityProvider, type TestIdentityProvider } from '../testing/identity/identity-provider.ts';
import { basic, openTestIdentity, saveUser, storedKey } from '../testing/identity/open-test-identity.ts';
import { presented } from '../testing/identity/presented-credentials.ts';
import { AlertIdentity } from './alert-identity.ts';
import { OAuthAccounts } from './oauth/oauth-accounts.ts';
import { UserStore } from './user-store.ts';
import { VerifiedCredentials } from './verified-credentials.ts';

const ADDRESS = '192.0.2.1';

describe('identity with tokens of a provider', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider[Symbol.asyncDispose]());

  type Context = Parameters<typeof openTestIdentity>[0];
  async function open(context: Context, settings: Readonly<Record<string, unknown>> = {}) {
    const parts = await openTestIdentity(context, {
      'auth.oauth.enabled': true,
      'auth.oauth.providers': { main: provider.settings(settings) },
    });
    const call = (token: string, impersonating?: string, identity = parts.identity) =>
      identity.authenticate(presented({ authorization: `Bearer ${token}`, impersonating, address: ADDRESS }));
    return { ...parts, call };
  }

  it('lets the user of a token read, write and administer themselves', async (context) => {
    const { call, events } = await open(context, { role_map: { admin: 'soc-admins' } });
    const actor = await call(await provider.accessToken('lovelace', 'alerts'));
    assert.deepEqual([actor.username, actor.method, actor.isAdmin], ['lovelace', 'oauth', true]);
    assert.deepEqual([...actor.privileges], ['R', 'W', 'E']);
    assert.deepEqual(
      [actor.keyName, actor.impersonator, actor.email],
      [undefined, undefined, 'ada.lovelace@example.org'],
    );
    assert.deepEqual(
      events.map(({ event, user }) => [event, user]),
      [
        ['user_created', 'lovelace'],
        ['token_accepted', 'lovelace'],
      ],
    );
  });

  it('makes the same actor of the same token, and asks the datastore nothing', async (context) => {
    const { call, collection } = await open(context);
    const token = await provider.accessToken('lovelace', 'alerts');
    const first = await call(token);
    const calls = ['get', 'getVersioned', 'search'] as const;
    const mocked = calls.map((name) => context.mock.method(collection, name));
    assert.equal(await call(token), first);
    assert.deepEqual(
      mocked.map(({ mock }) => mock.callCount()),
      [0, 0, 0],
    );
  });

  it('refuses a token that is no good, and makes no account', async (context) => {
    const { call, users, events } = await open(context, { required_groups: ['soc'] });
    const second = Math.floor(Date.now() / 1000);
    const bad: readonly (readonly [code: string, user: string, claims: Readonly<Record<string, unknown>>])[] = [
      ['token_expired', 'lovelace', { exp: second - 31 }],
      ['invalid_token', 'lovelace', { nbf: second + 90 }],
      ['invalid_token', 'lovelace', { iss: 'https://evil.example' }],
      ['invalid_token', 'lovelace', { aud: 'analysis-api' }],
      ['invalid_token', 'lovelace', { aud: ['a', 'b'] }],
      ['invalid_token', 'lovelace', { sub: undefined }],
      ['not_admitted', 'stranger', {}],
      ['not_admitted', 'lovelace', { groups: ['soc-admins'] }],
      ['not_admitted', 'lovelace', { email: undefined, preferred_username: 'x' }],
    ];
    for (const [code, user, claims] of bad) {
      events.length = 0;
      await assert.rejects(call(await provider.accessToken(user, 'alerts', claims)), { code });
      assert.deepEqual(
        events.map(({ event, method, code: written, address }) => [event, method, written, address]),
        [['credential_refused', 'oauth', code, ADDRESS]],
      );
    }
    await assert.rejects(call('a.b.c'), { code: 'invalid_token' });
    assert.deepEqual(await users.list(), []);
    await call(await provider.accessToken('lovelace', 'alerts', { exp: second - 20, nbf: second + 20 }));
  });

  it('refuses tokens while OAuth is off', async (context) => {
    const { identity } = await openTestIdentity(context);
    const authorization = `Bearer ${await provider.accessToken('lovelace', 'alerts')}`;
    const refused = identity.authenticate(presented({ authorization, address: ADDRESS }));
    await assert.rejects(refused, {
      code: 'invalid_token',
      message: 'Something went wrong when decoding your key. Please reauthenticate.',
    });
  });

  it('refuses a user who is switched off at once, in other processes after a second', async (context) => {
    const parts = await open(context);
    const { call, users, collection, accounts, clock } = parts;
    const theirUsers = new UserStore({ users: collection, now: () => clock.now });
    const oauth = { ...parts.oauth, accounts: new OAuthAccounts({ ...parts, users: theirUsers }) };
    const there = new AlertIdentity({
      ...parts,
      credentials: new VerifiedCredentials(),
      users: theirUsers,
      oauth,
      now: () => clock.now,
    });
    const token = await provider.accessToken('lovelace', 'alerts');
    await call(token);
    await call(token, undefined, there);
    const off = { kind: 'forbidden', code: 'account_disabled' };
    await accounts.setActive('lovelace', false);
    await assert.rejects(call(token), off);
    clock.now += 1001;
    await assert.rejects(call(token, undefined, there), off);
    await assert.rejects(call(await provider.accessToken('lovelace', 'alerts')), off);
    await users.update('lovelace', [{ op: 'set', path: 'is_active', value: true }]);
    assert.equal((await call(token)).username, 'lovelace');
  });

  it('lets the user of a token act as another, with a key that names them', async (context) => {
    const { call, users } = await open(context);
    await saveUser(users, 'grace', {
      apikeys: {
        impersonate_me: storedKey('secret', ['R', 'I'], { agents: ['lovelace'] }),
        impersonate_not: storedKey('secret', ['R', 'I'], { agents: ['hopper'] }),
        devkey: storedKey('secret', ['R']),
      },
    });
    const token = await provider.accessToken('lovelace', 'alerts');
    const actor = await call(token, basic('grace:impersonate_me:secret'));
    assert.deepEqual([actor.username, actor.impersonator, [...actor.privileges]], ['grace', 'lovelace', ['R', 'I']]);
    const refused = { code: 'not_an_impersonation_key' };
    await assert.rejects(call(token, basic('grace:impersonate_not:secret')), refused);
    await assert.rejects(call(token, basic('grace:devkey:secret')), refused);
  });

  it('continues with tokens of known keys while the provider is down', async (context) => {
    const { call } = await open(context);
    const token = await provider.accessToken('lovelace', 'alerts');
    await call(token);
    await provider.stop();
    try {
      await call(token);
      await call(await provider.accessToken('hopper', 'alerts'));
    } finally {
      await provider.start();
    }
  });
});
