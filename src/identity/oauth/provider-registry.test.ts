import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { SigningKeys, signToken } from '../../testing/identity/identity-provider/signing-keys.ts';
import { startIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openTokenVerifier } from '../../testing/identity/open-token-verifier.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';

const INVALID = { code: 'invalid_token' };

async function twoProviders(context: TestContext, name = 'same') {
  const first = await startIdentityProvider({ name });
  const second = await startIdentityProvider({ name });
  context.after(() => first[Symbol.asyncDispose]());
  context.after(() => second[Symbol.asyncDispose]());
  return { first, second };
}

/** Settings without anything that tells the issuer. */
const explicit = (issuer: string) => ({ discovery_url: null, jwks_uri: `${issuer}/jwks` });

describe('the provider of a token', () => {
  it('is that of its issuer, regardless of the key identifiers others have', async (context) => {
    const { first, second } = await twoProviders(context);
    const { verifier } = openTokenVerifier({ first: first.settings(), second: second.settings() });
    for (const [name, provider] of Object.entries({ first, second })) {
      const verified = await verifier.verify(await provider.accessToken('hopper', 'alerts'), 'alerts');
      assert.equal(verified.provider, name);
    }
    // Signed by one in the name of the other, under an identifier that both have.
    const forged = await first.accessToken('hopper', 'alerts', { iss: second.issuer });
    await assert.rejects(verifier.verify(forged, 'alerts'), INVALID);
  });

  it('is found by its key when no issuer is known, in its own keys alone', async (context) => {
    const { first, second } = await twoProviders(context);
    const { verifier } = openTokenVerifier({
      first: first.settings(explicit(first.issuer)),
      second: second.settings(explicit(second.issuer)),
    });
    for (const [name, provider] of Object.entries({ first, second })) {
      const verified = await verifier.verify(await provider.accessToken('hopper', 'alerts'), 'alerts');
      assert.equal(verified.provider, name);
    }
  });

  it('is never one without issuer when a provider of that issuer is configured', async (context) => {
    const { first, second } = await twoProviders(context);
    const { verifier } = openTokenVerifier({
      first: first.settings(),
      second: second.settings(explicit(second.issuer)),
    });
    const claims = second.claims('hopper', 'alerts', { iss: first.issuer });
    await assert.rejects(verifier.verify(await signToken(claims, second.keys.current), 'alerts'), INVALID);
    await verifier.verify(await second.accessToken('hopper', 'alerts'), 'alerts');
  });

  it('is judged by its own audiences', async (context) => {
    const { first, second } = await twoProviders(context, 'other');
    const { verifier } = openTokenVerifier({
      first: first.settings(),
      second: { discovery_url: second.issuer, client_id: 'mine' },
    });
    await assert.rejects(verifier.verify(await second.accessToken('hopper', 'alerts'), 'alerts'), INVALID);
    await verifier.verify(await second.accessToken('hopper', 'alerts', { aud: 'mine' }), 'alerts');
  });

  it('is the client that the token is for, when an installation is two clients of one provider', async (context) => {
    const { first } = await twoProviders(context);
    const { verifier } = openTokenVerifier({
      people: { discovery_url: first.issuer, client_id: 'people' },
      robots: { discovery_url: first.issuer, client_id: 'robots' },
    });
    for (const name of ['people', 'robots']) {
      const verified = await verifier.verify(await first.accessToken('hopper', 'alerts', { aud: name }), 'alerts');
      assert.equal(verified.provider, name);
    }
  });

  it('is also known by another issuer that is configured: access tokens of Entra ID have one of their own', async (context) => {
    const { first } = await twoProviders(context);
    const { verifier } = openTokenVerifier({ first: first.settings({ iss: 'https://sts.windows.net/tenant/' }) });
    const iss = 'https://sts.windows.net/tenant/';
    await verifier.verify(await first.accessToken('hopper', 'alerts', { iss }), 'alerts');
    await verifier.verify(await first.accessToken('hopper', 'alerts'), 'alerts');
    const other = await first.accessToken('hopper', 'alerts', { iss: 'https://sts.windows.net/other/' });
    await assert.rejects(verifier.verify(other, 'alerts'), INVALID);
  });

  it('counts the usual audiences of the public systems where nothing is configured', async (context) => {
    const { first } = await twoProviders(context);
    const { verifier } = openTokenVerifier({ first: { discovery_url: first.issuer } });
    await verifier.verify(await first.accessToken('hopper', 'alerts', { aud: 'howler' }), 'alerts');
    await verifier.verify(await first.accessToken('hopper', 'enrichment', { aud: 'clue' }), 'enrichment');
    await assert.rejects(
      verifier.verify(await first.accessToken('hopper', 'analysis', { aud: 'undefined' }), 'analysis'),
      INVALID,
    );
  });
});

describe('discovery', () => {
  it('takes the issuer or the well-known address, and lets settings win', async (context) => {
    const { first } = await twoProviders(context);
    const discovery_url = `${first.issuer}/.well-known/openid-configuration`;
    const { registry, verifier } = openTokenVerifier({
      first: first.settings({ discovery_url, access_token_url: `${first.issuer}/other` }),
    });
    await verifier.verify(await first.accessToken('hopper', 'alerts'), 'alerts');
    const metadata = await registry.find('first')?.metadata();
    assert.equal(metadata?.issuer, first.issuer);
    assert.equal(metadata?.authorization_endpoint, `${first.issuer}/auth`);
    assert.equal(metadata?.token_endpoint, `${first.issuer}/other`);
  });

  it('refuses metadata of another issuer', async (context) => {
    const { first } = await twoProviders(context);
    await using server = await startScriptedServer(() => ({
      body: { issuer: first.issuer, jwks_uri: `${first.issuer}/jwks` },
    }));
    for (const path of ['', '/.well-known/openid-configuration']) {
      const { registry } = openTokenVerifier({ first: first.settings({ discovery_url: `${server.url}${path}` }) });
      await assert.rejects(async () => registry.find('first')?.metadata(), { code: 'identity_provider_unavailable' });
    }
  });

  it('says in the log what a provider answered instead of its metadata, and where', async () => {
    const answers: Readonly<Record<string, { readonly body?: unknown; readonly status?: number }>> = {
      other: { body: { issuer: 'https://other.example.org' } },
      moved: { body: {}, status: 302 },
      gateway: { body: 'Welcome' },
    };
    await using server = await startScriptedServer(({ url }) => answers[url.split('/')[1] ?? ''] ?? {});
    const said = async (name: string) => {
      const { registry, lines } = openTokenVerifier({
        idp: { client_id: 'me', discovery_url: `${server.url}/${name}` },
      });
      await assert.rejects(async () => registry.find('idp')?.metadata(), { code: 'identity_provider_unavailable' });
      return lines.map(({ message }) => message).join();
    };
    const start = (name: string) => `the identity provider idp does not give its metadata: ${server.url}/${name}`;
    assert.equal(await said('other'), `${start('other')} names another issuer, https://other.example.org`);
    assert.equal(await said('moved'), `${start('moved')} answered with status 302`);
    assert.match(await said('gateway'), /\/gateway.* JSON/);
  });

  it('accepts an issuer that ends with a slash under its well-known address', async () => {
    const keys = await SigningKeys.make('slash');
    await using server = await startScriptedServer(({ url, headers }) => {
      const base = `http://${headers.host}/app/`;
      return url.endsWith('/jwks')
        ? { body: keys.published() }
        : { body: { issuer: base, jwks_uri: `${base}jwks`, token_endpoint: `${base}token` } };
    });
    const issuer = `${server.url}/app/`;
    const discovery_url = `${issuer}.well-known/openid-configuration`;
    const { verifier } = openTokenVerifier({ slash: { discovery_url, client_id: 'me' } });
    const claims = { iss: issuer, sub: 'hopper', aud: 'me', exp: Math.floor(Date.now() / 1000) + 60 };
    assert.equal((await verifier.verify(await signToken(claims, keys.current), 'alerts')).provider, 'slash');
  });
});

describe('the settings of a provider', () => {
  it('need an address of keys', () => {
    assert.throws(() => openTokenVerifier({ none: { client_id: 'me' } }), {
      code: 'invalid_setting',
      message: /auth\.oauth\.providers\.none needs discovery_url, or jwks_uri/,
    });
  });

  it('of two with one issuer are said to be alike in the log unless their audiences differ', () => {
    const provider = (client_id: string) => ({ client_id, discovery_url: 'https://id.example.org' });
    const logged = (one: string, other: string) =>
      openTokenVerifier({ one: provider(one), other: provider(other) }).lines.map(({ message }) => message);
    assert.match(logged('me', 'me').join(), /^the identity providers one and other have one issuer and an audience/);
    assert.deepEqual(logged('me', 'you'), []);
  });

  it('are said in the log to be without effect while logins through providers are off, and so is the switch without a provider', () => {
    const providers = { keycloak: { client_id: 'me', discovery_url: 'https://id.example.org' } };
    const logged = (...given: Parameters<typeof openTokenVerifier>) =>
      openTokenVerifier(...given).lines.map(({ message }) => message);
    assert.match(logged(providers, { 'auth.oauth.enabled': false })[0] ?? '', /auth\.oauth\.enabled is off/);
    assert.match(logged({})[0] ?? '', /no identity provider is configured/);
    assert.deepEqual(logged(providers), []);
  });

  it('of Entra ID need a scope that names the audience', () => {
    const azure = { jwks_uri: 'https://login.example/keys', client_id: 'me', scope: 'openid' };
    assert.throws(() => openTokenVerifier({ azure }), { code: 'invalid_setting', message: /me\/\.default/ });
    openTokenVerifier({ azure: { ...azure, scope: 'openid me/.default' } });
    openTokenVerifier({ another: azure });
  });

  it('of a service replace those of the provider, key by key, but no secret goes with another client', () => {
    const { registry } = openTokenVerifier({
      local: {
        jwks_uri: 'https://login.example/keys',
        client_id: 'shared',
        client_secret: 'secret-of-shared',
        scope: 'openid',
        services: { analysis: { client_id: 'own', scope: 'openid analysis' } },
      },
    });
    const provider = registry.find('local');
    assert.deepEqual(provider?.client('alerts'), {
      clientId: 'shared',
      clientSecret: 'secret-of-shared',
      audience: 'shared',
      audiences: ['shared'],
      scope: 'openid',
      exchangeScope: undefined,
    });
    assert.deepEqual(provider?.client('analysis'), {
      clientId: 'own',
      clientSecret: undefined,
      audience: 'own',
      audiences: ['own'],
      scope: 'openid analysis',
      exchangeScope: undefined,
    });
  });
});
