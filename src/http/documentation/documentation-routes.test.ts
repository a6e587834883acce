import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fastify } from 'fastify';
import { RouteList } from '../route-list.ts';
import { documentationRoutes } from './documentation-routes.ts';

describe('the documentation', () => {
  it('is a page that names no other host and is told to load from none', async () => {
    const app = server();
    for (const [path, base] of [
      ['/api/docs', 'http://x/api/docs'],
      ['/api/docs/', 'http://x/api/docs/'],
    ] as const) {
      const page = await app.inject(path);
      assert.equal(page.statusCode, 200);
      assert.doesNotMatch(page.body, /https?:\/\//);
      assert.match(String(page.headers['content-security-policy']), /default-src 'self'/);
      const script = new URL(/<script src="([^"]+)"/.exec(page.body)?.[1] ?? '', base);
      assert.equal(script.pathname, '/api/docs/reference.js');
      const document = new URL(/data-url="([^"]+)"/.exec(page.body)?.[1] ?? '', base);
      assert.equal(document.pathname, '/api/apispec_v1.json');
    }
  });

  it('hands out its script and the document', async () => {
    const app = server();
    const script = await app.inject('/api/docs/reference.js');
    assert.equal(script.statusCode, 200);
    assert.ok(script.body.length > 100_000);
    assert.equal((await app.inject('/api/apispec_v1.json')).json().openapi, '3.1.0');
  });
});

function server() {
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.decorateRequest('path', {
    getter() {
      return this.raw.url ?? '';
    },
  });
  documentationRoutes({
    title: 'T',
    version: '1',
    description: '',
    envelope: (data) => data,
    routes: new RouteList(),
  })(app);
  return app;
}
