import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { decodeJwt } from 'jose';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openOboIdentity } from '../../testing/identity/open-obo-identity.ts';
import { saveUser } from '../../testing/identity/open-test-identity.ts';
import { beginSessionGeneration } from '../sessions/app-tokens.ts';

const target = (scope: string, audience: string | null = null, enabled = true) => ({
  ...{ enabled, scope, audience, quota: null },
});

describe('the exchange of tokens', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider[Symbol.asyncDispose]());

  const setUp = (context: TestContext, settings: Record<string, unknown> = {}) =>
    openOboIdentity(context, provider, { settings });
  const exchanges = () => provider.requests.filter((request) => request === 'POST /token').length;

  for (const [from, to] of [
    ['alerts', 'analysis'],
    ['enrichment', 'analysis'],
    ['alerts', 'enrichment'],
  ] as const) {
    for (const grant of ['token_exchange', 'jwt_bearer']) {
      it(`gives a token of the ${from} service's user that the ${to} service takes (${grant})`, async (context) => {
        const { exchangeOf, verifier, events } = await setUp(context, { on_behalf_of: grant });
        const token = await provider.accessToken('hopper', from);
        const exchanged = await exchangeOf(from).exchange(token, to, 'grace');
        assert.ok(exchanged);
        const { claims } = await verifier.verify(exchanged, to);
        assert.deepEqual([claims.sub, claims.azp], ['hopper', `triad-${from}`]);
        await assert.rejects(verifier.verify(exchanged, from), { code: 'invalid_token' });
        assert.deepEqual(events, [
          {
            event: 'token_exchanged',
            service: from,
            user: 'grace',
            target: to,
            provider: 'local',
            azp: `triad-${from}`,
          },
        ]);
      });
    }
  }

  it('ends in a call to the analysis service in the name of the user', async (context) => {
    const { exchangeOf, users, bearerCallers } = await setUp(context);
    await saveUser(users, 'grace', { email: 'grace.hopper@example.org' });
    const exchanged = await exchangeOf('alerts').exchange(
      await provider.accessToken('hopper', 'alerts'),
      'analysis',
      'grace',
    );
    const call = { token: exchanged ?? '', provider: undefined, sender: undefined, address: '192.0.2.1' };
    const caller = await bearerCallers.identify(call);
    assert.deepEqual([caller.user.uname, caller.method, caller.azp], ['grace', 'on_behalf_of', 'triad-alerts']);
    assert.equal(caller.event, 'on_behalf_of_call');
  });

  it('is made once for a user and a target, regardless of who asks, until shortly before its end', async (context) => {
    const { exchangeOf, clock } = await setUp(context);
    const exchange = exchangeOf('alerts');
    const token = await provider.accessToken('hopper', 'alerts', { exp: Math.floor(Date.now() / 1000) + 7200 });
    const before = exchanges();
    const all = await Promise.all(Array.from({ length: 10 }, () => exchange.exchange(token, 'analysis', 'grace')));
    const [first] = all;
    assert.equal(new Set(all).size, 1);
    assert.equal(exchanges() - before, 1);
    // Another process, and another token of the same user.
    const newer = await provider.accessToken('hopper', 'alerts', { exp: Math.floor(Date.now() / 1000) + 7200 });
    assert.equal(await exchangeOf('alerts').exchange(newer, 'analysis', 'grace'), first);
    assert.equal(exchanges() - before, 1);
    clock.ahead = 545_000;
    assert.notEqual(await exchange.exchange(token, 'analysis', 'grace'), first);
    assert.equal(exchanges() - before, 2);
  });

  it('is another one for another user, subject, target and service', async (context) => {
    const { exchangeOf } = await setUp(context);
    const exchange = exchangeOf('alerts');
    const hopper = await provider.accessToken('hopper', 'alerts');
    const lovelace = await provider.accessToken('lovelace', 'alerts');
    const tokens = [
      await exchange.exchange(hopper, 'analysis', 'grace'),
      await exchange.exchange(lovelace, 'analysis', 'grace'),
      await exchange.exchange(hopper, 'analysis', 'grace.hopper'),
      await exchange.exchange(hopper, 'enrichment', 'grace'),
      await exchangeOf('enrichment').exchange(await provider.accessToken('hopper', 'enrichment'), 'analysis', 'grace'),
    ];
    assert.equal(new Set(tokens).size, 5);
    assert.equal(decodeJwt(tokens[1] ?? '').sub, 'lovelace');
  });

  it('keeps nothing that someone who reads the coordination server could use', async (context) => {
    const { exchangeOf, coordination } = await setUp(context);
    const stored: string[] = [];
    const { tokens } = coordination;
    const watched = {
      put: (key: string, value: unknown, lifetime: number) => {
        stored.push(key, String(value));
        return tokens.put(key, value, lifetime);
      },
      get: (key: string) => tokens.get(key),
      removeWithPrefix: (prefix: string) => tokens.removeWithPrefix(prefix),
    };
    const token = await provider.accessToken('hopper', 'alerts');
    const exchanged = await exchangeOf('alerts', { tokens: watched }).exchange(token, 'analysis', 'grace');
    assert.equal(stored.length, 2);
    const raw = stored.flatMap((text) => [text, Buffer.from(text, 'base64').toString('latin1')]).join();
    for (const part of [...token.split('.'), ...(exchanged ?? '').split('.')]) assert.ok(!raw.includes(part));
    // A sealed token is good in its own place alone.
    const [key = '', sealed] = stored;
    await tokens.put(key, `${String(sealed).slice(0, -8)}AAAAAAA=`, 60_000);
    assert.notEqual(await exchangeOf('alerts').exchange(token, 'analysis', 'grace'), exchanged);
  });

  it('forgets the tokens of a user', async (context) => {
    const { exchangeOf } = await setUp(context);
    const exchange = exchangeOf('alerts');
    const token = await provider.accessToken('hopper', 'alerts');
    const first = await exchange.exchange(token, 'analysis', 'grace');
    await exchange.forget('grac');
    assert.equal(await exchange.exchange(token, 'analysis', 'grace'), first);
    await exchange.forget('grace');
    assert.notEqual(await exchange.exchange(token, 'analysis', 'grace'), first);
  });

  it('ends with the sessions of the user, also when it is under way', async (context) => {
    const { exchangeOf, coordination } = await setUp(context);
    const token = await provider.accessToken('hopper', 'alerts');
    const asked = () => exchangeOf('alerts').exchange(token, 'analysis', 'grace');
    const first = await asked();
    assert.equal(await asked(), first);
    await beginSessionGeneration(coordination.tokens, 'grace');
    const second = await asked();
    assert.ok(second !== null && second !== first);
    assert.equal(await asked(), second);
    await beginSessionGeneration(coordination.tokens, 'grac');
    assert.equal(await asked(), second);
    const slow = exchangeOf('alerts', {
      exchangers: [
        async () => {
          await beginSessionGeneration(coordination.tokens, 'lovelace');
          return null;
        },
      ],
    });
    const late = await slow.exchange(token, 'analysis', 'lovelace');
    assert.notEqual(late, null);
    assert.notEqual(await exchangeOf('alerts').exchange(token, 'analysis', 'lovelace'), late);
  });

  it('gives null, with the reason in both logs and no token in either, for what cannot be exchanged', async (context) => {
    const { exchangeOf, events, lines } = await setUp(context);
    const targets = {
      elsewhere: target('elsewhere/read'),
      off: target('analysis-api/read', null, false),
    };
    const exchange = exchangeOf('alerts', { targets });
    const good = await provider.accessToken('hopper', 'alerts');
    const stale = await provider.accessToken('hopper', 'alerts', { exp: 1_000_000_000 });
    const foreign = await provider.accessToken('hopper', 'analysis');
    for (const [token, name, code] of [
      [good, 'elsewhere', 'exchange_refused'],
      [good, 'off', 'exchange_target_unknown'],
      [good, 'nowhere', 'exchange_target_unknown'],
      [good, '__proto__', 'exchange_target_unknown'],
      [stale, 'analysis', 'token_expired'],
      [foreign, 'analysis', 'invalid_token'],
      ['an.api.key', 'analysis', 'invalid_token'],
    ] as const) {
      assert.equal(await exchange.exchange(token, name, 'grace'), null);
      const event = events.at(-1);
      assert.deepEqual(
        [event?.event, event?.code, event?.target, event?.user],
        ['token_exchange_failed', code, name, 'grace'],
      );
      assert.equal((lines.at(-1)?.entry as { code?: string } | undefined)?.code, code);
    }
    const written = JSON.stringify([events, lines]);
    for (const token of [good, stale, foreign]) assert.ok(!written.includes(token.split('.')[2] ?? ''));
  });

  it('gives null while the provider is down, and a token again when it is back', async (context) => {
    const { exchangeOf, events, clock } = await setUp(context);
    const exchange = exchangeOf('alerts');
    const token = await provider.accessToken('hopper', 'alerts');
    await exchange.exchange(token, 'analysis', 'grace');
    await provider.stop();
    try {
      assert.equal(await exchange.exchange(token, 'enrichment', 'grace'), null);
      assert.equal(events.at(-1)?.code, 'identity_provider_unavailable');
      assert.ok(await exchange.exchange(token, 'analysis', 'grace'), 'what is kept needs no provider');
    } finally {
      await provider.start();
    }
    clock.ahead = 3001;
    assert.ok(await exchange.exchange(token, 'enrichment', 'grace'));
  });

  it('does not ask again at once what was refused', async (context) => {
    const { exchangeOf, clock, events } = await setUp(context);
    const exchange = exchangeOf('alerts', { targets: { elsewhere: target('elsewhere/read') } });
    const token = await provider.accessToken('hopper', 'alerts');
    const before = exchanges();
    for (let time = 0; time < 5; time += 1) assert.equal(await exchange.exchange(token, 'elsewhere', 'grace'), null);
    assert.equal(exchanges() - before, 1);
    assert.deepEqual(new Set(events.map(({ code }) => code)), new Set(['exchange_refused']));
    assert.ok(await exchange.exchange(token, 'analysis', 'grace'), 'another target is another question');
    clock.ahead = 3001;
    await exchange.exchange(token, 'elsewhere', 'grace');
    assert.equal(exchanges() - before, 3);
  });

  it('reaches configured targets by the audience of their scope, or by the one that is configured', async (context) => {
    const targets = { vault: target('analysis-api/read'), mapped: target('read', 'analysis-api') };
    const { exchangeOf } = await setUp(context);
    const exchange = exchangeOf('alerts', { targets });
    const token = await provider.accessToken('hopper', 'alerts');
    for (const name of ['vault', 'mapped']) {
      assert.equal(decodeJwt((await exchange.exchange(token, name, 'grace')) ?? '').aud, 'analysis-api');
    }
    assert.deepEqual(
      ['vault', 'mapped', 'analysis', 'alerts', 'nowhere', 'toString'].map((name) => exchange.has(name)),
      [true, true, true, true, false, false],
    );
  });

  it('is not made for a token that the target gave in the first place, nor for the target for trying out', async (context) => {
    const accepted = { alternate_audiences: ['howler'] };
    const { exchangeOf } = await setUp(context, accepted);
    const exchange = exchangeOf('alerts', { targets: { howler: target('howler/read'), 'test-obo': target('x/y') } });
    const before = exchanges();
    const back = await provider.accessToken('hopper', 'alerts', { aud: ['howler', 'others'] });
    assert.equal(await exchange.exchange(back, 'howler', 'grace'), back);
    const token = await provider.accessToken('hopper', 'alerts');
    assert.equal(await exchange.exchange(token, 'test-obo', 'grace'), token);
    assert.equal(exchanges(), before);
  });

  it('is not made by the enrichment service for a token that it accepts for another audience', async (context) => {
    const { exchangeOf, events } = await setUp(context, { alternate_audiences: ['partner'] });
    const targets = { vault: target('vault/read'), 'test-obo': target('x/y') };
    const exchange = exchangeOf('enrichment', { targets, exchangers: [async () => 'never'] });
    const foreign = await provider.accessToken('hopper', 'enrichment', { aud: ['partner', 'others'] });
    for (const name of ['vault', 'test-obo', 'analysis']) {
      assert.equal(await exchange.exchange(foreign, name, 'grace'), null, name);
      assert.equal(events.at(-1)?.code, 'exchange_token_for_another_audience');
    }
    const fitting = await provider.accessToken('hopper', 'enrichment', { aud: ['partner', 'vault'] });
    assert.equal(await exchange.exchange(fitting, 'vault', 'grace'), fitting);
  });

  it('asks extensions first, in their order, and continues when one fails or does not handle the target', async (context) => {
    const { exchangeOf, lines } = await setUp(context);
    const asked: string[] = [];
    const exchange = exchangeOf('enrichment', {
      targets: { vault: target('vault/read') },
      exchangers: [
        () => Promise.reject(new Error('broken')),
        async (name, _token, user) => {
          asked.push(`${name} ${user}`);
          return name === 'vault' ? `opaque~${user}` : null;
        },
        async () => 'never',
      ],
    });
    const token = await provider.accessToken('hopper', 'enrichment');
    assert.equal(await exchange.exchange(token, 'vault', 'grace'), 'opaque~grace');
    assert.equal(await exchange.exchange(token, 'vault', 'grace'), 'opaque~grace');
    assert.deepEqual(asked, ['vault grace']);
    assert.ok(lines.some(({ message }) => message.startsWith('an extension failed')));
  });

  it('does not keep what the provider withdrew with its keys', async (context) => {
    const rotating = await startIdentityProvider({ name: 'rotating' });
    context.after(() => rotating[Symbol.asyncDispose]());
    const { exchangeOf, clock } = await openOboIdentity(context, rotating);
    const first = await exchangeOf('alerts').exchange(
      await rotating.accessToken('hopper', 'alerts'),
      'analysis',
      'grace',
    );
    await rotating.rotateKeys();
    // Past the floor between two looks at the keys.
    clock.ahead = 60_000;
    const token = await rotating.accessToken('hopper', 'alerts');
    const second = await exchangeOf('alerts').exchange(token, 'analysis', 'grace');
    assert.ok(second);
    assert.notEqual(second, first);
  });

  it('does not need the coordination server', async (context) => {
    const { exchangeOf, coordination } = await setUp(context);
    const exchange = exchangeOf('alerts');
    const token = await provider.accessToken('hopper', 'alerts');
    await coordination.close();
    assert.ok(await exchange.exchange(token, 'analysis', 'grace'));
  });
});
