import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { makeSigningKey, signToken } from '../../testing/identity/identity-provider/signing-keys.ts';
import { startIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openTokenVerifier } from '../../testing/identity/open-token-verifier.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { until } from '../../testing/until.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const INVALID = { code: 'invalid_token' };
const UNAVAILABLE = { kind: 'unavailable', code: 'identity_provider_unavailable' };

async function setUp(context: TestContext, settings: Record<string, unknown> = {}) {
  const provider = await startIdentityProvider();
  context.after(() => provider[Symbol.asyncDispose]());
  const opened = openTokenVerifier({ local: provider.settings(settings) });
  const fetches = () => provider.requests.filter((one) => one === 'GET /jwks').length;
  const verify = async (username: string) =>
    opened.verifier.verify(await provider.accessToken(username, 'alerts'), 'alerts');
  return { provider, fetches, verify, ...opened };
}

describe('keys of providers', () => {
  it('are fetched once for many tokens, also for many at the same time', async (context) => {
    const { verify, fetches } = await setUp(context);
    await Promise.all(Array.from({ length: 20 }, () => verify('lovelace')));
    await verify('hopper');
    assert.equal(fetches(), 1);
  });

  it('are fetched again for an unknown key, so that rotated keys count at once', async (context) => {
    const { provider, verify, fetches } = await setUp(context);
    await verify('lovelace');
    await provider.rotateKeys();
    await verify('hopper');
    assert.equal(fetches(), 2);
  });

  it('are fetched for unknown keys no more than every ten seconds', async (context) => {
    const { provider, verify, fetches, verifier, clock } = await setUp(context);
    await verify('lovelace');
    const unknown = async () =>
      signToken(provider.claims('hopper', 'alerts'), await makeSigningKey(crypto.randomUUID(), 'ES256'));
    for (let turn = 0; turn < 5; turn += 1) await assert.rejects(verifier.verify(await unknown(), 'alerts'), INVALID);
    assert.equal(fetches(), 2);
    clock.ahead = 11 * SECOND;
    await assert.rejects(verifier.verify(await unknown(), 'alerts'), INVALID);
    assert.equal(fetches(), 3);
  });

  it('that were withdrawn make the tokens they signed worthless, also those seen before', async (context) => {
    const { provider, verify, verifier, clock } = await setUp(context);
    const { token } = await verify('lovelace');
    await provider.rotateKeys();
    assert.ok(verifier.seen(token, 'alerts'), 'nobody has told yet');
    clock.ahead = 9 * MINUTE;
    await verify('hopper');
    assert.equal(verifier.seen(token, 'alerts'), undefined);
    await assert.rejects(verifier.verify(token, 'alerts'), INVALID);
  });

  it('that go on being published keep their tokens good', async (context) => {
    const { provider, verify, verifier } = await setUp(context);
    const { token } = await verify('lovelace');
    await provider.rotateKeys({ keepOld: true });
    await verify('hopper');
    assert.ok(verifier.seen(token, 'alerts'));
  });

  it('are looked for again after ten minutes, beside the requests', async (context) => {
    const { verify, verifier, fetches, clock } = await setUp(context);
    const { token } = await verify('lovelace');
    clock.ahead = 9.9 * MINUTE;
    verifier.seen(token, 'alerts');
    assert.equal(fetches(), 1);
    clock.ahead = 10.1 * MINUTE;
    assert.ok(verifier.seen(token, 'alerts'));
    await until('the keys are fetched again', () => fetches() === 2);
  });
});

describe('a provider that is down', () => {
  it('takes only those with it whose keys are not known, and needs no restart', async (context) => {
    const { provider, verify, verifier, clock } = await setUp(context);
    await provider.stop();
    await assert.rejects(verify('lovelace'), UNAVAILABLE);
    await provider.start();
    clock.ahead = 2 * SECOND;
    const { token } = await verify('lovelace');
    await provider.stop();
    assert.ok(verifier.seen(token, 'alerts'));
    await verify('hopper');
    clock.ahead = 20 * MINUTE;
    const later = await provider.accessToken('hopper', 'alerts', { exp: Math.floor(Date.now() / SECOND) + 3600 });
    await verifier.verify(later, 'alerts');
    await provider.rotateKeys();
    const rotated = await provider.accessToken('hopper', 'alerts', { exp: Math.floor(Date.now() / SECOND) + 3600 });
    await assert.rejects(verifier.verify(rotated, 'alerts'), UNAVAILABLE);
    await provider.start();
    clock.ahead += 2 * SECOND;
    await verifier.verify(rotated, 'alerts');
  });

  it('is not asked for every request', async (context) => {
    await using server = await startScriptedServer(() => ({ status: 500 }));
    const { verifier, provider, clock } = await setUp(context, { discovery_url: null, jwks_uri: `${server.url}/jwks` });
    const token = await provider.accessToken('lovelace', 'alerts');
    for (let turn = 0; turn < 10; turn += 1) await assert.rejects(verifier.verify(token, 'alerts'), UNAVAILABLE);
    assert.equal(server.requests.length, 1);
    clock.ahead = 2 * SECOND;
    await assert.rejects(verifier.verify(token, 'alerts'), UNAVAILABLE);
    assert.equal(server.requests.length, 2);
  });

  it('does not keep those of other providers waiting', async (context) => {
    await using server = await startScriptedServer(() => 'hang');
    const { provider } = await setUp(context);
    const { verifier } = openTokenVerifier({
      hanging: provider.settings({ discovery_url: null, iss: 'http://hanging.example', jwks_uri: server.url }),
      local: provider.settings(),
    });
    const hanging = verifier.verify(
      await provider.accessToken('hopper', 'alerts', { iss: 'http://hanging.example' }),
      'alerts',
    );
    hanging.catch(() => undefined);
    await verifier.verify(await provider.accessToken('hopper', 'alerts'), 'alerts');
  });

  const broken = {
    'no key set': { body: { keys: 'none' } },
    'no JSON': { body: '<html>' },
    'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    'more than a megabyte': { body: { keys: [], padding: 'x'.repeat(1_100_000) } },
  };
  for (const [name, answer] of Object.entries(broken)) {
    it(`is one that answers with ${name}`, async (context) => {
      await using server = await startScriptedServer(() => answer);
      const { verifier, provider } = await setUp(context, { discovery_url: null, jwks_uri: server.url });
      await assert.rejects(verifier.verify(await provider.accessToken('hopper', 'alerts'), 'alerts'), UNAVAILABLE);
    });
  }
});
