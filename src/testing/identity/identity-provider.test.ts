import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as openid from 'openid-client';
import { REDIRECT_ADDRESS } from '../../identity/oauth/provider-fetch.ts';
import { startIdentityProvider, type TestIdentityProvider } from './identity-provider.ts';
import { openTokenVerifier } from './open-token-verifier.ts';

const CALLBACK = 'http://127.0.0.1:1/login?provider=local';

/** Settings that say where everything is, and nothing of the issuer. */
const explicit = (base: string) => ({
  discovery_url: null,
  jwks_uri: `${base}/jwks`,
  authorize_url: `${base}/auth`,
  // The same address, written differently.
  access_token_url: `${base}/./token`,
});

describe('the identity provider for tests', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider({ redirects: [CALLBACK] });
  });
  after(() => provider[Symbol.asyncDispose]());

  const open = () => openTokenVerifier({ local: provider.settings() });

  async function signIn(username: string, { registry, verifier } = open()) {
    const local = registry.find('local');
    assert.ok(local);
    const configuration = await local.configuration('alerts');
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const [state, nonce] = [openid.randomState(), openid.randomNonce()];
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const back = await provider.signIn(address, username);
    const checks = { pkceCodeVerifier, expectedState: state, expectedNonce: nonce };
    const tokens = await local.grant('alerts', (whole) => {
      if (!local.hasKnownIssuer) back.searchParams.set('iss', whole.serverMetadata().issuer);
      return openid.authorizationCodeGrant(whole, back, checks, { [REDIRECT_ADDRESS]: CALLBACK });
    });
    return { tokens, configuration, verifier };
  }

  it('signs people in through its form, with PKCE, and refreshes', async () => {
    const { tokens, configuration, verifier } = await signIn('lovelace');
    const { claims } = await verifier.verify(tokens.access_token, 'alerts');
    assert.equal(claims.email, 'ada.lovelace@example.org');
    assert.deepEqual(claims.groups, ['soc', 'soc-admins']);
    assert.equal(claims.azp, 'triad-alerts');
    assert.equal(tokens.claims()?.email, 'ada.lovelace@example.org');
    assert.ok(tokens.refresh_token);
    const again = await openid.refreshTokenGrant(configuration, tokens.refresh_token);
    assert.notEqual(again.access_token, tokens.access_token);
    assert.equal((await verifier.verify(again.access_token, 'alerts')).claims.sub, 'lovelace');
  });

  beforeEach(() => {
    provider.requests.length = 0;
  });

  it('signs people in also when no one tells the issuer: its key vouches for them', async () => {
    const opened = openTokenVerifier({ local: provider.settings(explicit(provider.issuer)) });
    const { tokens } = await signIn('hopper', opened);
    assert.equal(tokens.claims()?.sub, 'hopper');
    assert.equal(provider.requests.filter((one) => one === 'POST /token').length, 1);
    const { verifier } = openTokenVerifier({ local: provider.settings({ ...explicit(provider.issuer) }) });
    await verifier.verify(tokens.access_token, 'alerts');
  });

  it('does not vouch for people by another key', async () => {
    await using other = await startIdentityProvider();
    const jwks_uri = `${other.issuer}/jwks`;
    const opened = openTokenVerifier({ local: provider.settings({ ...explicit(provider.issuer), jwks_uri }) });
    await assert.rejects(signIn('hopper', opened), { code: 'OAUTH_INVALID_RESPONSE' });
  });

  it('refuses a wrong password', async () => {
    const { registry } = open();
    const configuration = await registry.find('local')?.configuration('alerts');
    assert.ok(configuration);
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: await openid.calculatePKCECodeChallenge(openid.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
      state: openid.randomState(),
    });
    await assert.rejects(provider.signIn(address, 'lovelace', 'wrong'), /401/);
  });

  it('exchanges tokens for another audience, for clients that they are for', async () => {
    const { tokens, configuration, verifier } = await signIn('hopper');
    const exchange = (audience: string) =>
      openid.genericGrantRequest(configuration, 'urn:ietf:params:oauth:grant-type:token-exchange', {
        subject_token: tokens.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        audience,
      });
    const { access_token } = await exchange('analysis-api');
    const { claims } = await verifier.verify(access_token, 'analysis');
    assert.deepEqual([claims.sub, claims.aud, claims.azp], ['hopper', 'analysis-api', 'triad-alerts']);
    await assert.rejects(verifier.verify(access_token, 'alerts'), { code: 'invalid_token' });
    await assert.rejects(exchange('somebody-else'), { error: 'invalid_target' });
  });

  it('exchanges tokens as Entra ID does, and takes passwords of service accounts', async () => {
    const { tokens, configuration, verifier } = await signIn('hopper');
    const onBehalf = await openid.genericGrantRequest(configuration, 'urn:ietf:params:oauth:grant-type:jwt-bearer', {
      assertion: tokens.access_token,
      requested_token_use: 'on_behalf_of',
      scope: 'analysis-api/.default',
    });
    assert.equal((await verifier.verify(onBehalf.access_token, 'analysis')).claims.sub, 'hopper');
    const account = { username: 'hopper', password: 'password-of-hopper', scope: 'openid' };
    const { access_token } = await openid.genericGrantRequest(configuration, 'password', account);
    assert.equal((await verifier.verify(access_token, 'alerts')).claims.email, 'grace.hopper@example.org');
  });

  it('tells the groups of anyone who asks with a token', async () => {
    const token = await provider.accessToken('hopper', 'alerts');
    const answer = await fetch(`${provider.issuer}/groups`, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual(await answer.json(), { value: [{ id: 'id-of-soc', displayName: 'soc' }] });
    assert.equal((await fetch(`${provider.issuer}/groups`)).status, 401);
  });

  it('signs people in with keys that were rotated a moment ago', async () => {
    const opened = open();
    await signIn('hopper', opened);
    for (let turn = 0; turn < 3; turn += 1) {
      await provider.rotateKeys();
      const { tokens } = await signIn('hopper', opened);
      assert.equal(tokens.claims()?.sub, 'hopper');
      await opened.verifier.verify(tokens.access_token, 'alerts');
    }
  });
});
