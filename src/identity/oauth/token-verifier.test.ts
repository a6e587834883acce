import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { base64url } from 'jose';
import { makeSigningKey, signToken, signWithPublicKey } from '../../testing/identity/identity-provider/signing-keys.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openTokenVerifier } from '../../testing/identity/open-token-verifier.ts';
import { SERVICES } from '../actor.ts';

const SECOND = 1000;
const INVALID = { kind: 'unauthenticated', code: 'invalid_token' };

describe('TokenVerifier', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider[Symbol.asyncDispose]());

  const open = (settings: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
    openTokenVerifier({ local: provider.settings(settings) }, more);
  const inSeconds = (ahead: number) => Math.floor(Date.now() / SECOND) + ahead;
  /** A token of lovelace for the alert service with these claims and this header. */
  const signed = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    signToken(provider.claims('lovelace', 'alerts', claims), provider.keys.current, header);

  it('accepts a token of a known issuer with its claims, and says when it ends', async () => {
    const { verifier } = open();
    const token = await provider.accessToken('lovelace', 'alerts');
    const verified = await verifier.verify(token, 'alerts');
    assert.equal(verified.provider, 'local');
    assert.equal(verified.claims.email, 'ada.lovelace@example.org');
    assert.equal(verified.token, token);
    assert.equal(verified.expires, Number(verified.claims.exp) * SECOND);
  });

  it('accepts at each service the tokens for that service alone', async () => {
    const { verifier } = open();
    for (const service of SERVICES) {
      for (const target of SERVICES) {
        const verifying = verifier.verify(await provider.accessToken('hopper', target), service);
        if (service === target) assert.equal((await verifying).claims.sub, 'hopper');
        else await assert.rejects(verifying, INVALID, `a token for ${target} at ${service}`);
      }
    }
  });

  it('accepts alternate audiences where they are configured', async () => {
    const { verifier } = open(
      { external_token_alternate_audiences: ['partner-analysis'], alternate_audiences: ['partner'] },
      { 'auth.oauth.other_audiences': ['partner-enrichment'] },
    );
    const accepted = { partner: SERVICES, 'partner-analysis': ['analysis'], 'partner-enrichment': ['enrichment'] };
    for (const [aud, services] of Object.entries(accepted)) {
      const token = await signed({ aud });
      for (const service of SERVICES) {
        if (services.includes(service)) await verifier.verify(token, service);
        else await assert.rejects(verifier.verify(token, service), INVALID);
      }
    }
    await verifier.verify(await signed({ aud: ['another', 'alerts-api'] }), 'alerts');
  });

  describe('refuses', () => {
    const rows: Readonly<Record<string, () => string | Promise<string>>> = {
      'what is not a token': () => 'a.b.c',
      'a token without signature': async () => (await signed()).replace(/[^.]+$/, ''),
      'algorithm none': async () => {
        const header = base64url.encode(JSON.stringify({ alg: 'none', kid: provider.keys.current.keyId }));
        return `${header}.${(await signed()).split('.')[1]}.`;
      },
      'the published key as the secret of HS256': () =>
        signWithPublicKey(provider.claims('lovelace', 'alerts'), provider.keys.current),
      'an algorithm that is not that of the key': () => signed({}, { alg: 'RS512' }),
      'changed claims': async () => {
        const [header, , signature] = (await signed()).split('.');
        const claims = base64url.encode(JSON.stringify(provider.claims('hopper', 'alerts')));
        return `${header}.${claims}.${signature}`;
      },
      'a signature of another key under a known identifier': async () =>
        signToken(provider.claims('lovelace', 'alerts'), await makeSigningKey(provider.keys.current.keyId)),
      'an unknown key': async () => signToken(provider.claims('lovelace', 'alerts'), await makeSigningKey('stranger')),
      'a key identifier that is a path': () => signed({}, { kid: '../../../../dev/null' }),
      'a key identifier that is an address': () => signed({}, { kid: 'http://127.0.0.1:1/jwks' }),
      'a key identifier that is a number': () => signed({}, { kid: 1 }),
      'an empty key identifier': () => signed({}, { kid: '' }),
      'no key identifier': () => signed({}, { kid: undefined }),
      'an embedded key': async () => {
        const own = await makeSigningKey('own');
        return signToken(provider.claims('lovelace', 'alerts'), own, { jwk: own.publicJwk });
      },
      'an address of keys': async () =>
        signToken(provider.claims('lovelace', 'alerts'), await makeSigningKey('own'), {
          jku: `${provider.issuer}/jwks`,
          x5u: `${provider.issuer}/jwks`,
        }),
      'an extension that has to be understood': () => signed({}, { crit: ['exp'] }),
      'a token that is not valid yet': () => signed({ nbf: inSeconds(60) }),
      'another issuer': () => signed({ iss: 'https://idp.example.org' }),
      'the issuer with something behind it': () => signed({ iss: `${provider.issuer}/.` }),
      'no issuer': () => signed({ iss: undefined }),
      'an issuer that is a list': () => signed({ iss: [provider.issuer] }),
      'another audience': () => signed({ aud: 'somebody-else' }),
      'audiences without ours': () => signed({ aud: ['somebody-else', 'alerts-api-2'] }),
      'no audience': () => signed({ aud: undefined }),
      'no subject': () => signed({ sub: undefined }),
      'an empty subject': () => signed({ sub: '' }),
      'a subject that is not a string': () => signed({ sub: 1 }),
      'no expiry': () => signed({ exp: undefined }),
      'an identity token by its type': () => signed({ typ: 'ID' }),
      'an identity token by the hash of its access token': () => signed({ at_hash: 'abc' }),
      'a token of another kind by its header': () => signed({}, { typ: 'logout+jwt' }),
      'a token that is bound to a key of its holder': () => signed({ cnf: { jkt: 'abc' } }),
      'an oversized token': () => signed({ padding: 'x'.repeat(20_000) }),
    };
    for (const [name, make] of Object.entries(rows)) {
      it(name, async () => {
        const { verifier, lines } = open();
        const token = await make();
        await assert.rejects(verifier.verify(token, 'alerts'), (error: Error & { code?: string; kind?: string }) => {
          assert.deepEqual([error.kind, error.code], ['unauthenticated', 'invalid_token']);
          // The same text for each: it does not help anyone who tries.
          assert.equal(error.message, 'Something went wrong when decoding your key. Please reauthenticate.');
          return true;
        });
        assert.equal(verifier.seen(token, 'alerts'), undefined);
        const logged = JSON.stringify(lines);
        assert.match(logged, /a token was refused: /);
        assert.ok(!logged.includes(token), 'no token in the log');
      });
    }

    it('with what the token says and what is accepted in the log, cut short', async () => {
      const { verifier, lines } = open();
      const later = inSeconds(100);
      const wrong = [{ aud: 'somebody-else' }, { iss: `https://${'x'.repeat(1000)}` }, { nbf: later }];
      for (const claims of wrong) await assert.rejects(verifier.verify(await signed(claims), 'alerts'), INVALID);
      const [audience, issuer, early] = lines.map(({ entry }) => entry as Record<string, unknown>);
      assert.deepEqual(audience, {
        ...{ service: 'alerts', reason: 'aud', provider: 'local' },
        ...{ aud: '"somebody-else"', accepted: ['alerts-api'] },
      });
      assert.equal(issuer?.reason, 'unknown_issuer_or_key');
      assert.equal(String(issuer?.issuer).length, 300);
      assert.deepEqual([early?.reason, early?.nbf], ['nbf', later]);
      assert.ok(Math.abs(Number(early?.now) - inSeconds(0)) < 10);
    });

    it('every token while OAuth is off', async () => {
      const { verifier } = open({}, { 'auth.oauth.enabled': false });
      await assert.rejects(verifier.verify(await signed(), 'alerts'), INVALID);
    });
  });

  it('asks no address that a token names', async () => {
    const { verifier } = open();
    await verifier.verify(await signed(), 'alerts');
    const before = provider.requests.length;
    const own = await makeSigningKey('own');
    const header = { jku: `${provider.issuer}/own`, x5u: `${provider.issuer}/own`, kid: `${provider.issuer}/own` };
    await assert.rejects(verifier.verify(await signToken(provider.claims('hopper', 'alerts'), own, header), 'alerts'));
    assert.deepEqual(provider.requests.slice(before), ['GET /jwks']);
  });

  it('gives clocks 30 s of leeway, for the end and for the beginning', async () => {
    const { verifier } = open();
    await verifier.verify(await signed({ exp: inSeconds(-25) }), 'alerts');
    await verifier.verify(await signed({ nbf: inSeconds(25) }), 'alerts');
    await assert.rejects(verifier.verify(await signed({ exp: inSeconds(-31) }), 'alerts'), { code: 'token_expired' });
    await assert.rejects(verifier.verify(await signed({ nbf: inSeconds(35) }), 'alerts'), INVALID);
  });

  it('knows a token until it expires, per service', async () => {
    const { verifier, clock } = open({ alternate_audiences: ['alerts-api'] });
    const token = await provider.accessToken('lovelace', 'alerts');
    const verified = await verifier.verify(token, 'alerts');
    assert.equal(verifier.seen(token, 'alerts'), verified);
    assert.equal(await verifier.verify(token, 'alerts'), verified);
    assert.equal(verifier.seen(token, 'analysis'), undefined);
    clock.ahead = 620 * SECOND;
    assert.equal(verifier.seen(token, 'alerts'), verified);
    clock.ahead = 631 * SECOND;
    assert.equal(verifier.seen(token, 'alerts'), undefined);
    await assert.rejects(verifier.verify(token, 'alerts'), { code: 'token_expired' });
  });

  it('uses the algorithm that is configured, and no other of the same key', async () => {
    const { verifier } = open({ jwt_token_alg: 'ES256' });
    await assert.rejects(verifier.verify(await signed(), 'alerts'), INVALID);
    await open({ jwt_token_alg: 'RS256' }).verifier.verify(await signed(), 'alerts');
  });

  it('takes only tokens of the provider that is named', async () => {
    const { verifier } = open();
    const token = await signed();
    await verifier.verify(token, 'alerts', 'local');
    await assert.rejects(verifier.verify(token, 'alerts', 'other'), INVALID);
  });
});
