import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { clientCredentialsGrant } from 'openid-client';
import { trustAuthoritiesFor } from '../../composition/certificates.ts';
import { openTokenVerifier } from '../../testing/identity/open-token-verifier.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { selfSignedCertificate } from '../../testing/servers/self-signed-certificate.ts';
import { fetchProviderJson, providerFetch } from './provider-fetch.ts';

describe('what is fetched from providers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authorities-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is no more than a megabyte, and no redirect is followed', async () => {
    await using large = await startScriptedServer(() => ({ body: 'x'.repeat(1_100_000) }));
    await assert.rejects(providerFetch(large.url), /larger than 1048576 bytes/);
    await using moved = await startScriptedServer(() => ({ status: 302, headers: { location: large.url } }));
    assert.equal((await providerFetch(moved.url)).status, 302);
    await assert.rejects(fetchProviderJson(moved.url), /status 302/);
    assert.equal(large.requests.length, 1);
  });

  it('comes by TLS of authorities in the folder of certificates, and never leads on to plain HTTP', async () => {
    const { key, certificate: cert } = selfSignedCertificate(folder);
    await using server = await startScriptedServer(
      ({ headers }) => {
        const base = `https://${headers.host}`;
        return { body: { issuer: base, jwks_uri: `${base}/jwks`, token_endpoint: `http://${headers.host}/token` } };
      },
      { key, cert },
    );
    await assert.rejects(fetchProviderJson(server.url), /fetch failed/);
    trustAuthoritiesFor([server.url], folder);
    const { registry } = openTokenVerifier({ secure: { discovery_url: server.url, client_id: 'me' } });
    const provider = registry.find('secure');
    assert.ok(provider);
    const configuration = await provider.configuration('alerts');
    await assert.rejects(clientCredentialsGrant(configuration), { code: 'OAUTH_HTTP_REQUEST_FORBIDDEN' });
  });
});
