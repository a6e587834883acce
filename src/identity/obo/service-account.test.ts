import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openTokenVerifier } from '../../testing/identity/open-token-verifier.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { ServiceAccount, type ServiceAccountDependencies } from './service-account.ts';

const ACCOUNT = { username: 'hopper', password: 'password-of-hopper', provider: 'local' };

describe('the service account', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider[Symbol.asyncDispose]());

  function open(
    settings: Partial<ServiceAccountDependencies['settings']> = {},
    flags: Record<string, unknown> = {},
    ofProvider: Record<string, unknown> = {},
  ) {
    const parts = openTokenVerifier({ local: provider.settings(ofProvider) }, flags);
    const { registry, log, now } = parts;
    const account = new ServiceAccount({
      settings: { enabled: true, accounts: [ACCOUNT], ...settings },
      ...{ registry, log, now, service: 'enrichment' as const },
    });
    return { ...parts, account };
  }
  const signIns = () => provider.requests.filter((request) => request === 'POST /token').length;

  it('has a token for the service that signs it in, the same one until shortly before its end', async () => {
    const { account, verifier, clock } = open();
    const before = signIns();
    const [first, second] = await Promise.all([account.token(), account.token()]);
    assert.equal(second, first);
    assert.equal((await verifier.verify(first ?? '', 'enrichment')).claims.sub, 'hopper');
    assert.equal(await account.token(), first);
    assert.equal(signIns() - before, 1);
    clock.ahead = 545_000;
    assert.notEqual(await account.token(), first);
    assert.equal(signIns() - before, 2);
  });

  it('stays signed in by its refresh token for twelve hours, and signs in again when that is refused', async () => {
    const asked: (string | null)[] = [];
    let refusing = false;
    await using endpoint = await startScriptedServer(({ body }) => {
      const form = new URLSearchParams(body);
      asked.push(form.get('refresh_token') ?? form.get('password'));
      if (refusing && form.has('refresh_token')) return { status: 400, body: { error: 'invalid_grant' } };
      const number = asked.length;
      const refresh = number === 1 ? { refresh_token: 'refresh-1' } : {};
      return { body: { access_token: `token-${number}`, token_type: 'Bearer', expires_in: 300, ...refresh } };
    });
    const { account, clock } = open({}, {}, { access_token_url: `${endpoint.url}/token` });
    const tokens: (string | null)[] = [];
    for (const hours of [0, 1, 2, 13]) {
      clock.ahead = hours * 3_600_000;
      tokens.push(await account.token());
    }
    assert.deepEqual(tokens, ['token-1', 'token-2', 'token-3', 'token-4']);
    assert.deepEqual(asked, ['password-of-hopper', 'refresh-1', 'refresh-1', 'password-of-hopper']);
    refusing = true;
    asked.length = 0;
    const other = open({}, {}, { access_token_url: `${endpoint.url}/token` });
    await other.account.token();
    other.clock.ahead = 3_600_000;
    assert.equal(await other.account.token(), 'token-3');
    assert.deepEqual(asked, ['password-of-hopper', 'refresh-1', 'password-of-hopper']);
  });

  it('has none when it is switched off', async () => {
    const { account } = open({ enabled: false });
    assert.equal(account.enabled, false);
    assert.equal(await account.token(), null);
  });

  it('has none while the provider gives none, and does not ask again at once', async () => {
    const { account, lines, clock } = open({ accounts: [{ ...ACCOUNT, password: 'wrong-password' }] });
    const before = signIns();
    assert.equal(await account.token(), null);
    assert.equal(await account.token(), null);
    assert.equal(signIns() - before, 1);
    assert.ok(lines.some(({ message }) => message === 'the service account got no token'));
    assert.ok(!JSON.stringify(lines).includes('wrong-password'));
    clock.ahead = 10_001;
    assert.equal(await account.token(), null);
    assert.equal(signIns() - before, 2);
  });

  it('has one again when the provider is back', async () => {
    const { account, clock } = open();
    await provider.stop();
    assert.equal(await account.token(), null);
    await provider.start();
    clock.ahead = 60_000;
    assert.equal(decodeJwt((await account.token()) ?? '').sub, 'hopper');
  });

  it('is refused at the start when it could never sign in', () => {
    const wrong: readonly [Partial<ServiceAccountDependencies['settings']>, RegExp][] = [
      [{ accounts: [] }, /needs an account/],
      [{ accounts: [{ ...ACCOUNT, provider: 'other' }] }, /names the provider other/],
      [{ accounts: [ACCOUNT, { ...ACCOUNT, username: 'second' }] }, /one account of a provider/],
      [{ accounts: [{ ...ACCOUNT, password: null }] }, /needs the password/],
    ];
    for (const [settings, message] of wrong) assert.throws(() => open(settings), { code: 'invalid_setting', message });
    assert.throws(() => open({}, { 'auth.oauth.enabled': false }), { message: /needs auth.oauth.enabled/ });
  });
});
