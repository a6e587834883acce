import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { actorWith, serverWith } from '../../testing/open-service-server.ts';

describe('bad requests', () => {
  it('over the limit are refused with 413, truncated ones with 400', async () => {
    const { app } = serverWith((server) => server.post('/a', { access: 'public', body: 'json' }, async () => 1));
    const large = await app.inject({
      method: 'POST',
      url: '/a',
      payload: `"${'x'.repeat(2000)}"`,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(large.statusCode, 413);
    assert.equal(large.json().code, 'body_too_large');
    await app.close();
  });

  it('of strangers are small, but where records are checked for anyone', async () => {
    const routes = (server: FastifyInstance) => {
      server.post('/login', { access: 'public', body: 'json_or_form' }, async () => 1);
      server.post('/check', { access: 'public', body: 'json' }, async () => 1);
      server.post('/closed', { access: { privileges: ['W'], roles: ['user'] }, body: 'json' }, async () => 1);
    };
    const { app } = serverWith(routes, { actor: actorWith('W', 'user'), bodyLimit: 1_000_000 });
    const payload = `"${'x'.repeat(300_000)}"`;
    const headers = { 'content-type': 'application/json', authorization: 'x' };
    for (const [url, status] of [
      ['/login', 413],
      ['/check', 200],
      ['/closed', 200],
    ] as const) {
      assert.equal((await app.inject({ method: 'POST', url, payload, headers })).statusCode, status, url);
    }
  });

  it('that are not HTTP get an answer that says so', async () => {
    const { app } = serverWith(() => {});
    await app.listen({ host: '127.0.0.1', port: 0 });
    const address = app.server.address();
    assert.ok(address !== null && typeof address === 'object');
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(address.port, '127.0.0.1', () => socket.end('NONSENSE\r\n\r\n'));
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', reject).on('close', () => resolve(text));
    });
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(answer, /"code":"unreadable_request"/);
    await app.close();
  });
});
