import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeSigningKey, type SigningKey, signToken } from '../../testing/identity/identity-provider/signing-keys.ts';
import { openTestSignIn } from '../../testing/identity/open-test-sign-in.ts';
import {
  type ScriptedAnswer,
  type ScriptedServer,
  startScriptedServer,
} from '../../testing/servers/scripted-server.ts';

const PAGE = 'https://triad.example/login?provider=main';
const ORIGIN = { service: 'alerts', address: '192.0.2.7' } as const;
type Claims = Readonly<Record<string, unknown>>;
type Answer = ScriptedAnswer | 'reset' | 'truncate';

/** A provider that answers as no good one does. */
describe('what a provider answers to a code', () => {
  let server: ScriptedServer;
  let key: SigningKey;
  let foreign: SigningKey;
  let answer: Answer = {};
  before(async () => {
    [key, foreign] = [await makeSigningKey('own'), await makeSigningKey('foreign')];
    server = await startScriptedServer(({ url }) =>
      url === '/jwks' ? { body: { keys: [key.publicJwk] } } : url === '/token' ? answer : { status: 404 },
    );
  });
  after(() => server[Symbol.asyncDispose]());

  type Context = Parameters<typeof openTestSignIn>[0];
  /** Ends a login with this answer. `make` gets the nonce of the login. */
  async function finish(context: Context, make: (nonce: string) => Promise<Answer> | Answer) {
    const main = {
      iss: server.url,
      client_id: 'triad',
      client_secret: 'client-secret',
      jwks_uri: `${server.url}/jwks`,
      authorize_url: `${server.url}/authorize`,
      access_token_url: `${server.url}/token`,
    };
    const parts = await openTestSignIn(context, { main });
    const place = { provider: 'main', service: 'alerts', origin: ORIGIN } as const;
    const { address, binding } = await parts.codeLogin.begin({ ...place, redirectAddress: PAGE });
    const { searchParams } = new URL(address);
    answer = await make(searchParams.get('nonce') ?? '');
    const state = searchParams.get('state') ?? '';
    return { ...parts, signingIn: parts.codeLogin.finish({ ...place, code: 'c-1', state, binding }) };
  }

  const now = () => Math.floor(Date.now() / 1000);
  const accessToken = (claims: Claims = {}, signer = key) =>
    signToken(
      {
        iss: server.url,
        sub: '1',
        aud: 'triad',
        exp: now() + 60,
        email: 'ada@example.org',
        email_verified: true,
        ...claims,
      },
      signer,
    );
  const identityToken = (nonce: string, claims: Claims = {}, signer = key) =>
    signToken({ iss: server.url, sub: '1', aud: 'triad', iat: now(), exp: now() + 60, nonce, ...claims }, signer, {
      typ: 'JWT',
    });
  const tokens = async (nonce: string, identity: Claims = {}, access: Claims = {}, more: Claims = {}) => ({
    body: {
      token_type: 'Bearer',
      access_token: await accessToken(access),
      id_token: await identityToken(nonce, identity),
      ...more,
    },
  });

  it('is taken when it is good, and the provider is asked with the secret and the verifier', async (context) => {
    const { signingIn } = await finish(context, (nonce) => tokens(nonce, { name: 'Lovelace, Ada' }));
    const { user, refreshToken } = await signingIn;
    assert.deepEqual([user.email, user.name, refreshToken], ['ada@example.org', 'Ada Lovelace', null]);
    const asked = server.requests.findLast(({ url }) => url === '/token');
    const form = new URLSearchParams(asked?.body);
    assert.equal(asked?.headers.authorization, `Basic ${btoa('triad:client-secret')}`);
    assert.deepEqual([form.get('code'), form.get('redirect_uri')], ['c-1', PAGE]);
    assert.equal(form.get('code_verifier')?.length, 43);
  });

  it('gives an address with the flag beside it, never with that of the other token', async (context) => {
    const victim = { email: 'ada@example.org', email_verified: undefined };
    for (const [identity, access] of [
      [victim, { email: undefined, email_verified: true }],
      [{ email: undefined, email_verified: true }, victim],
      [victim, { email: undefined }],
    ]) {
      const { signingIn } = await finish(context, (nonce) => tokens(nonce, identity, access));
      await assert.rejects(signingIn, { code: 'email_not_verified' });
    }
    const own = { email: 'own@example.org', email_verified: true };
    const { signingIn } = await finish(context, (nonce) => tokens(nonce, victim, own));
    assert.equal((await signingIn).user.email, 'own@example.org');
  });

  const rows: readonly (readonly [what: string, code: string, make: (nonce: string) => Promise<Answer> | Answer])[] = [
    ['an identity token for another client', 'provider_answer_refused', (nonce) => tokens(nonce, { aud: 'another' })],
    ['one of another issuer', 'provider_answer_refused', (nonce) => tokens(nonce, { iss: 'https://evil.example' })],
    ['one with another nonce', 'provider_answer_refused', () => tokens('another')],
    ['one without a nonce', 'provider_answer_refused', (nonce) => tokens(nonce, { nonce: undefined })],
    ['one without a subject', 'provider_answer_refused', (nonce) => tokens(nonce, { sub: undefined })],
    ['one that is over', 'provider_answer_refused', (nonce) => tokens(nonce, { iat: now() - 99, exp: now() - 31 })],
    [
      'one that somebody else signed',
      'provider_answer_refused',
      async (nonce) => tokens(nonce, {}, {}, { id_token: await identityToken(nonce, {}, foreign) }),
    ],
    ['no identity token', 'provider_answer_refused', (nonce) => tokens(nonce, {}, {}, { id_token: undefined })],
    ['tokens of two users', 'provider_refused', (nonce) => tokens(nonce, { sub: '2' })],
    ['an access token for another service', 'provider_token_refused', (nonce) => tokens(nonce, {}, { aud: 'other' })],
    ['an opaque access token', 'provider_token_refused', (nonce) => tokens(nonce, {}, {}, { access_token: 'opaque' })],
    ['a token of another kind', 'provider_answer_refused', (nonce) => tokens(nonce, {}, {}, { token_type: 'mac' })],
    ['no access token', 'provider_answer_refused', (nonce) => tokens(nonce, {}, {}, { access_token: undefined })],
    ['a refusal', 'provider_refused', () => ({ status: 400, body: { error: 'invalid_grant' } })],
    ['a refusal of the client', 'provider_refused', () => ({ status: 401, body: { error: 'invalid_client' } })],
    [
      'a refusal of the client with a challenge (RFC 6749 section 5.2)',
      'provider_refused',
      () => ({
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="x", error="invalid_client"' },
        body: { error: 'invalid_client' },
      }),
    ],
    [
      'a challenge alone',
      'provider_refused',
      () => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
    ],
    ['a fault', 'identity_provider_unavailable', () => ({ status: 500, body: { error: 'server_error' } })],
    ['a fault of a proxy', 'identity_provider_unavailable', () => ({ status: 502, body: '<html>' })],
    ['a page', 'identity_provider_unavailable', () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' })],
    ['half an answer', 'identity_provider_unavailable', () => 'truncate'],
    ['nothing', 'identity_provider_unavailable', () => 'reset'],
    ['more than fits', 'identity_provider_unavailable', () => ({ body: 'x'.repeat(1024 * 1024 + 1) })],
  ];
  for (const [what, code, make] of rows) {
    it(`is refused when it is ${what}: ${code}`, async (context) => {
      const { signingIn, users, events, lines } = await finish(context, make);
      await assert.rejects(signingIn, { code });
      assert.deepEqual(await users.list(), []);
      const told = code === 'identity_provider_unavailable' ? [] : [['login_failed', code]];
      assert.deepEqual(
        events.map((event) => [event.event, event.code]),
        told,
      );
      assert.doesNotMatch(JSON.stringify([events, lines]), /client-secret|eyJ/);
    });
  }

  it('is not followed elsewhere', async (context) => {
    const { signingIn } = await finish(context, () => ({
      status: 307,
      headers: { location: `${server.url}/elsewhere` },
    }));
    await assert.rejects(signingIn, { code: 'provider_answer_refused' });
    assert.ok(!server.requests.some(({ url }) => url === '/elsewhere'));
  });
});
