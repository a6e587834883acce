import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverWith } from '../../testing/open-service-server.ts';
import { until } from '../../testing/until.ts';

const RULES = { total: 1000, silence: 800, bytesPerSecond: 10_000, interval: 20 };
const SIZE = 40_000;

describe('a request body', () => {
  it('that is collected has to arrive within a fixed time', async (context) => {
    const { open } = await setUp(context);
    const slow = await open('/collected', SIZE);
    const writing = drip(slow.socket, 500, 25);
    await until('it was answered', () => slow.heard().includes('\r\n\r\n'), 5000);
    assert.match(slow.heard(), /^HTTP\/1.1 408 /);
    assert.match(slow.heard(), /did not arrive completely in time/);
    await until('it is closed', () => slow.socket.destroyed, 5000);
    await writing;
    const quick = await open('/collected', SIZE);
    quick.socket.write(Buffer.alloc(SIZE));
    await until('it was answered', () => quick.heard().includes('done'), 5000);
    assert.match(quick.heard(), /^HTTP\/1.1 200 /);
  });

  it('that streams may take longer while it moves', async (context) => {
    const { open } = await setUp(context);
    const begun = Date.now();
    const { socket, heard } = await open('/streamed', SIZE);
    await drip(socket, 2000, 110);
    await until('it was answered', () => heard().includes('done'), 5000);
    assert.ok(Date.now() - begun > 2 * RULES.total);
    assert.match(heard(), /^HTTP\/1.1 200 /);
  });

  it('that streams ends when nothing comes, however much came before', async (context) => {
    const { open, ended } = await setUp(context);
    const { socket, heard } = await open('/streamed', SIZE);
    socket.write(Buffer.alloc(SIZE - 1));
    await until('it was answered', () => heard() !== '', 5000);
    assert.match(heard(), /^HTTP\/1.1 408 /);
    await until('it is closed', () => socket.destroyed, 5000);
    await until('the handler was told', () => ended.includes('aborted'), 5000);
  });

  it('that streams ends when it only trickles', async (context) => {
    const { open } = await setUp(context);
    const { socket, heard } = await open('/streamed', SIZE);
    const writing = drip(socket, 10, 50);
    await until('it was answered', () => heard() !== '', 5000);
    assert.match(heard(), /^HTTP\/1.1 408 /);
    await writing;
  });

  it('that streams waits for a handler that is slow itself', async (context) => {
    const { open } = await setUp(context);
    const { socket, heard } = await open('/late', 1_000_000);
    socket.write(Buffer.alloc(1_000_000));
    await until('it was answered', () => heard().includes('done'), 5000);
    assert.match(heard(), /^HTTP\/1.1 200 /);
  });

  it('that no one wants any more ends the connection without another answer', async (context) => {
    const { open } = await setUp(context);
    const { socket, heard } = await open('/refused', SIZE);
    socket.write(Buffer.alloc(100));
    await until('it is closed', () => socket.destroyed, 5000);
    assert.equal(heard().match(/HTTP\/1.1/g)?.length, 1);
    assert.match(heard(), /^HTTP\/1.1 200 /);
  });
});

async function setUp(context: TestContext) {
  const ended: string[] = [];
  const read = async (raw: AsyncIterable<Uint8Array>): Promise<string> => {
    try {
      for await (const _chunk of raw);
    } catch {
      ended.push('aborted');
    }
    return 'done';
  };
  const { app } = serverWith(
    (server) => {
      server.post('/collected', { access: 'public', body: 'lenient_json' }, async () => 'done');
      server.post('/streamed', { access: 'public', body: 'stream' }, ({ raw }) => read(raw));
      server.post('/refused', { access: 'public', body: 'stream' }, async () => 'no');
      server.post('/late', { access: 'public', body: 'stream' }, async ({ raw }) => {
        await sleep(2 * RULES.total);
        return read(raw);
      });
    },
    { arrivalRules: RULES, bodyLimit: 2 * SIZE },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  context.after(() => app.close());
  const address = app.server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    ended,
    async open(path: string, size: number): Promise<{ readonly socket: Socket; heard(): string }> {
      const socket = connect(address.port, '127.0.0.1');
      context.after(() => socket.destroy());
      socket.on('error', () => undefined);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`);
      return { socket, heard: () => text };
    },
  };
}

/** Writes a part of the body at each interval until it is complete or refused. */
async function drip(socket: Socket, size: number, interval: number): Promise<void> {
  for (let sent = 0; sent < SIZE && socket.writable; sent += size) {
    socket.write(Buffer.alloc(Math.min(size, SIZE - sent)));
    await sleep(interval);
  }
}
