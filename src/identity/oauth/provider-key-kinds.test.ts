import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { JWK } from 'jose';
import { makeSigningKey, signToken } from '../../testing/identity/identity-provider/signing-keys.ts';
import { openTokenVerifier } from '../../testing/identity/open-token-verifier.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';

const INVALID = { code: 'invalid_token' };
const claims = () => ({ sub: 'hopper', aud: 'me', exp: Math.floor(Date.now() / 1000) + 60 });

/** Verifies a token by a provider that publishes these keys. */
async function verify(token: string, keys: readonly JWK[]) {
  await using server = await startScriptedServer(() => ({ body: { keys } }));
  const { verifier } = openTokenVerifier({ local: { jwks_uri: server.url, client_id: 'me' } });
  return await verifier.verify(token, 'alerts');
}

const without = (jwk: JWK, ...members: readonly string[]): JWK =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !members.includes(name)));

describe('a published key', () => {
  for (const algorithm of ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const) {
    it(`verifies ${algorithm}, also when it does not say so`, async () => {
      const key = await makeSigningKey('one', algorithm);
      const token = await signToken(claims(), key);
      await verify(token, [key.publicJwk]);
      await verify(token, [without(key.publicJwk, 'alg', 'use')]);
    });
  }

  it('verifies no algorithm of another family', async () => {
    const rsa = await makeSigningKey('one', 'RS256');
    const elliptic = await makeSigningKey('one', 'ES256');
    for (const alg of ['ES256', 'ES384', 'EdDSA', 'HS256', 'none']) {
      const token = await signToken(claims(), { ...rsa, publicJwk: { ...rsa.publicJwk, alg } });
      await assert.rejects(verify(token, [without(rsa.publicJwk, 'alg')]), INVALID, alg);
    }
    const token = await signToken(claims(), elliptic, { alg: 'RS256' });
    await assert.rejects(verify(token, [without(elliptic.publicJwk, 'alg')]), INVALID);
  });

  it('that is a secret verifies nothing', async () => {
    const k = Buffer.from('a secret of thirty-two characters').toString('base64url');
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const content = `${encoded({ alg: 'HS256', kid: 'one' })}.${encoded(claims())}`;
    const signature = createHmac('sha256', Buffer.from(k, 'base64url')).update(content).digest('base64url');
    await assert.rejects(verify(`${content}.${signature}`, [{ kty: 'oct', kid: 'one', k }]), INVALID);
  });

  it('that is for encryption verifies nothing', async () => {
    const key = await makeSigningKey('one');
    await assert.rejects(verify(await signToken(claims(), key), [{ ...key.publicJwk, use: 'enc' }]), INVALID);
  });

  it('whose private half is published is not trusted', async () => {
    const key = await makeSigningKey('one');
    await assert.rejects(verify(await signToken(claims(), key), [key.privateJwk]), INVALID);
  });

  it('without identifier is not a key of a token', async () => {
    const key = await makeSigningKey('one');
    await assert.rejects(verify(await signToken(claims(), key), [without(key.publicJwk, 'kid')]), INVALID);
  });

  it('beside one that no one understands continues counting', async () => {
    const key = await makeSigningKey('one');
    const strange: JWK = { kty: 'lattice', kid: 'two' };
    await verify(await signToken(claims(), key), [strange, key.publicJwk]);
  });
});
