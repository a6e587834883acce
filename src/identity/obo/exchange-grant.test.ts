import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openOboIdentity } from '../../testing/identity/open-obo-identity.ts';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';

const BEARER = { token_type: 'Bearer', expires_in: 300 };

describe('an exchange at a provider that does not answer as it should', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider[Symbol.asyncDispose]());

  /** The code and the log of an exchange that this token endpoint answers. */
  async function exchangeAt(
    context: TestContext,
    script: Script,
    { targetName = 'analysis', settings = {} }: { targetName?: string; settings?: Record<string, unknown> } = {},
  ) {
    await using endpoint = await startScriptedServer(script);
    const ofProvider = { access_token_url: `${endpoint.url}/token`, ...settings };
    const { exchangeOf, events, lines } = await openOboIdentity(context, provider, { settings: ofProvider });
    const targets = { vault: { enabled: true, scope: 'vault/read', audience: null, quota: null } };
    const token = await provider.accessToken('hopper', 'alerts');
    const exchanged = await exchangeOf('alerts', { targets }).exchange(token, targetName, 'grace');
    return { token, exchanged, code: events.at(-1)?.code, written: JSON.stringify([events, lines]), endpoint };
  }

  it('is refused when the answer is not a token, or not one of a kind that can be sent', async (context) => {
    const answers: readonly ReturnType<Script>[] = [
      { body: {} },
      { body: { ...BEARER, access_token: 7 } },
      { body: { access_token: 'x', token_type: 'N_A' } },
      { body: 'not JSON' },
      { status: 302, headers: { location: 'https://evil.example/' }, body: {} },
      { status: 500, body: {} },
    ];
    for (const answer of answers) {
      const { exchanged, code } = await exchangeAt(context, () => answer);
      assert.deepEqual([exchanged, code], [null, 'exchange_answer_unusable'], JSON.stringify(answer));
    }
    const cut = await exchangeAt(context, () => 'reset');
    assert.deepEqual([cut.exchanged, cut.code], [null, 'identity_provider_unavailable']);
  });

  it('says that the client was refused when that is told by a challenge (RFC 6749 section 5.2)', async (context) => {
    const challenge = 'Basic realm="x", error="invalid_client", error_description="wrong secret"';
    const { exchanged, code, written } = await exchangeAt(context, () => ({
      status: 401,
      headers: { 'www-authenticate': challenge },
      body: { error: 'invalid_client' },
    }));
    assert.deepEqual([exchanged, code], [null, 'exchange_refused']);
    assert.match(written, /invalid_client: wrong secret/);
  });

  it('holds no one up with an endless description', async (context) => {
    const description = 'a'.repeat(100_000);
    const begun = performance.now();
    const { code } = await exchangeAt(context, () => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: description },
    }));
    assert.equal(code, 'exchange_refused');
    assert.ok(performance.now() - begun < 10_000);
  });

  it('is refused with what the provider says, but for tokens in it', async (context) => {
    const { exchanged, code, written, token } = await exchangeAt(context, ({ body }) => ({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: `no consent for ${new URLSearchParams(body).get('subject_token')}`,
      },
    }));
    assert.deepEqual([exchanged, code], [null, 'exchange_refused']);
    assert.match(written, /invalid_grant: no consent for …/);
    for (const part of token.split('.')) assert.ok(!written.includes(part));
  });

  it('is refused when the token is the same, or for someone else', async (context) => {
    const same = await exchangeAt(context, ({ body }) => ({
      body: { ...BEARER, access_token: new URLSearchParams(body).get('subject_token') },
    }));
    assert.deepEqual([same.exchanged, same.code], [null, 'exchange_without_effect']);
    const other = await provider.accessToken('hopper', 'enrichment');
    for (const targetName of ['analysis', 'vault']) {
      const answer = await exchangeAt(context, () => ({ body: { ...BEARER, access_token: other } }), { targetName });
      assert.deepEqual([answer.exchanged, answer.code], [null, 'exchanged_for_another_audience'], targetName);
    }
  });

  it('is refused when our own service could not verify the token', async (context) => {
    const forged = await provider.accessToken('hopper', 'analysis', { iss: 'https://evil.example' });
    const answer = await exchangeAt(context, () => ({ body: { ...BEARER, access_token: forged } }));
    assert.deepEqual([answer.exchanged, answer.code], [null, 'invalid_token']);
    const opaque = await exchangeAt(context, () => ({ body: { ...BEARER, access_token: 'opaque' } }));
    assert.deepEqual([opaque.exchanged, opaque.code], [null, 'invalid_token']);
  });

  it('gives a token that is none of ours as it is', async (context) => {
    const { exchanged } = await exchangeAt(context, () => ({ body: { ...BEARER, access_token: 'opaque' } }), {
      targetName: 'vault',
    });
    assert.equal(exchanged, 'opaque');
  });

  it('asks by the words of RFC 8693, as the client of the service', async (context) => {
    const { endpoint, token } = await exchangeAt(context, () => ({ body: {} }), { targetName: 'vault' });
    const [request] = endpoint.requests;
    const [scheme, credentials = ''] = request?.headers.authorization?.split(' ') ?? [];
    // RFC 6749 section 2.3.1: both are percent-encoded first.
    const client = decodeURIComponent(Buffer.from(credentials, 'base64').toString());
    assert.deepEqual([scheme, client], ['Basic', 'triad-alerts:secret-of-triad-alerts']);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(request?.body)), {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: 'vault',
      scope: 'vault/read',
    });
  });

  it('asks by the words of Entra ID where the settings say so', async (context) => {
    const settings = { on_behalf_of: 'jwt_bearer', access_token_params: { tenant: 'ours' } };
    const { endpoint, token } = await exchangeAt(context, () => ({ body: {} }), { settings });
    const [request] = endpoint.requests;
    assert.deepEqual(Object.fromEntries(new URLSearchParams(request?.body)), {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: token,
      requested_token_use: 'on_behalf_of',
      scope: 'analysis-api/.default',
      tenant: 'ours',
    });
  });
});
