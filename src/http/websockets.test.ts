import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { serverWith } from '../testing/open-service-server.ts';
import { closeReason, serveWebSockets } from './websockets.ts';

describe('the reason of a close frame', () => {
  it('is JSON of at most 123 bytes, regardless of the message', () => {
    const messages = ['', 'short', 'x'.repeat(68), 'x'.repeat(69), 'é'.repeat(200), '"'.repeat(200), '😀'.repeat(200)];
    for (const message of messages) {
      const text = closeReason(403, message);
      assert.ok(Buffer.byteLength(text) <= 123, text);
      const { message: told, ...rest } = JSON.parse(text);
      assert.deepEqual(rest, { error: true, status: 403, type: 'error' });
      assert.ok(message.startsWith(told.toWellFormed().replaceAll('\ufffd', '')));
    }
    assert.equal(JSON.parse(closeReason(403, 'x'.repeat(68))).message.length, 68);
  });
});

describe('a service with websockets', () => {
  async function open(context: TestContext) {
    const received: string[] = [];
    const { app } = serverWith((routes) => {
      routes.post('/echo', { access: 'public', body: 'text' }, async ({ body }) => body);
      routes.get('/plain', { access: 'public' }, async () => 'plain');
      serveWebSockets(routes, async () => {
        for (const client of routes.websocketServer.clients) client.terminate();
      });
      routes.route({
        method: 'GET',
        url: '/listen',
        access: 'public',
        handler: async () => 'no websocket',
        wsHandler: (socket) => {
          socket.on('message', (data: Buffer) => received.push(data.toString()));
        },
      });
    });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    context.after(() => app.close());
    const client = new WebSocket(`${address.replace('http', 'ws')}/listen`);
    await once(client, 'open');
    const closed = once(client, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
    return { app, address, client, closed, received };
  }

  it('takes messages of 64 kB, and closes with a reason after a larger one', async (context) => {
    const { client, closed, received } = await open(context);
    client.send('x'.repeat(65_536));
    client.send('x'.repeat(65_537));
    const { code, reason } = await closed;
    assert.deepEqual([code, JSON.parse(reason).status], [1008, 413]);
    assert.deepEqual(
      received.map(({ length }) => length),
      [65_536],
    );
  });

  it('takes messages of 128 fragments, and closes with a reason after more, also empty ones', async (context) => {
    const { client, closed, received } = await open(context);
    for (let sent = 0; sent < 128; sent += 1) client.send('x', { fin: sent === 127 });
    for (let sent = 0; sent < 129; sent += 1) client.send('', { fin: false });
    const { code, reason } = await closed;
    assert.deepEqual([code, JSON.parse(reason).status], [1008, 413]);
    assert.deepEqual(received, ['x'.repeat(128)]);
  });

  it('closes with a reason after text that is not UTF-8', async (context) => {
    const { client, closed, received } = await open(context);
    client.send(Buffer.from([0xff, 0xfe]), { binary: false });
    const { code, reason } = await closed;
    assert.deepEqual([code, JSON.parse(reason).status, received], [1008, 400, []]);
  });

  it('answers a client that closes with its own code', async (context) => {
    const { client, closed } = await open(context);
    client.close(1000);
    assert.equal((await closed).code, 1000);
  });

  it('answers ordinary requests to the same path, and upgrades to other paths', async (context) => {
    const { address } = await open(context);
    assert.match(await (await fetch(`${address}/listen`)).text(), /no websocket/);
    for (const [path, status] of [
      ['/plain', 200],
      ['/nowhere', 404],
    ] as const) {
      const other = new WebSocket(`${address.replace('http', 'ws')}${path}`);
      const [error] = await once(other, 'error').catch((thrown: unknown) => [thrown]);
      assert.match(String(error), new RegExp(`Unexpected server response: ${status}`));
    }
  });

  it('reads the body of a request that offers another protocol', async (context) => {
    const { address } = await open(context);
    const { port } = new URL(address);
    const socket = connect(Number(port), '127.0.0.1');
    const head = ['POST /echo HTTP/1.1', 'Host: x', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'];
    socket.write(`${head.join('\r\n')}\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello`);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    assert.match(String(answer), /^HTTP\/1\.1 200 [\s\S]*hello/);
  });

  it('ends its connections when it closes', async (context) => {
    const { app, closed } = await open(context);
    await app.close();
    assert.equal((await closed).code, 1006);
  });
});
