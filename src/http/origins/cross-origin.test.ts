import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fastify } from 'fastify';
import { allowOrigins } from './cross-origin.ts';
import { originTest } from './known-origins.ts';

const ORIGINS = ['https://ui.example.org', 'https://.*\\.apps\\.example\\.org', 'http://localhost:3000/'];

describe('allowOrigins', () => {
  it('tells pages of known origins that they may read the answer, also that of an error', async () => {
    for (const url of ['/api/a', '/api/broken', '/api/nothing']) {
      const { headers } = await server().inject({ url, headers: { origin: 'https://ui.example.org' } });
      assert.equal(headers['access-control-allow-origin'], 'https://ui.example.org', url);
      assert.equal(headers['access-control-allow-credentials'], 'true');
      assert.equal(headers.vary, 'Origin');
    }
  });

  it('tells nothing to pages of other origins, nor about other paths', async () => {
    for (const [url, origin] of [
      ['/api/a', 'https://evil.example'],
      ['/page', 'https://ui.example.org'],
    ]) {
      const answer = await server().inject({ url: url ?? '', headers: { origin } });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
  });

  it('answers what browsers ask before a call', async () => {
    const ask = (origin: string) =>
      server().inject({
        method: 'OPTIONS',
        url: '/api/a',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const known = await ask('https://ui.example.org');
    assert.equal(known.statusCode, 200);
    assert.match(String(known.headers['access-control-allow-methods']), /POST/);
    assert.match(String(known.headers['access-control-allow-headers']), /Authorization/);
    const other = await ask('https://evil.example');
    assert.equal(other.statusCode, 200);
    assert.equal(other.headers['access-control-allow-methods'], undefined);
  });
});

function server() {
  const app = fastify();
  allowOrigins(app, { isAllowed: originTest(ORIGINS, 'x'), below: '/api/' });
  app.get('/api/a', async () => 1);
  app.get('/api/broken', async () => {
    throw new Error('broken');
  });
  app.get('/page', async () => 1);
  return app;
}
