import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { OutboundClient } from '../outbound/outbound-client.ts';
import { readActions } from './actions.ts';
import { WebhookSender } from './webhook-sender.ts';

describe('WebhookSender', () => {
  it('sends the payload with headers and credentials', async (context) => {
    const { send, requests } = await setUp(context, [200]);
    await send({ headers: [{ name: 'X-Team', value: 'red' }], username: 'ada', password: 'secret' });
    const [request] = requests;
    assert.equal(request?.body, '{"score":1}');
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.equal(request?.headers['x-team'], 'red');
    assert.equal(request?.headers.authorization, `Basic ${btoa('ada:secret')}`);
  });

  it('tries again, as often as the action says', async (context) => {
    const { send, requests, lines } = await setUp(context, [500, 503, 200]);
    await send({ retries: 3 });
    assert.deepEqual([requests.length, lines.errors.length], [3, 0]);
    const other = await setUp(context, [500, 500, 500, 200]);
    await other.send({ retries: 2 });
    assert.deepEqual([other.requests.length, other.lines.errors.length], [2, 1]);
  });

  it('calls no private address unless the installation allows the network, and tries that once', async (context) => {
    const { send, requests, lines } = await setUp(context, [200], []);
    await send({ retries: 3 });
    assert.deepEqual([requests.length, lines.warnings.length, lines.errors.length], [0, 1, 1]);
  });

  it('ends with the program, and leaves the message to the next start', async (context) => {
    const { send, stop } = await setUp(context, [500]);
    const sending = send({ retries: 10 });
    stop();
    await assert.rejects(sending, { code: 'stopping' });
  });
});

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that answers with these statuses, one after the other. */
async function setUp(context: TestContext, statuses: readonly number[], allowed = ['127.0.0.0/8']) {
  const requests: Received[] = [];
  const left = [...statuses];
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    reply.writeHead(left.length > 1 ? (left.shift() ?? 500) : (left[0] ?? 500)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const lines = { warnings: [] as string[], errors: [] as string[] };
  const stopping = new AbortController();
  const sender = new WebhookSender({
    client: new OutboundClient({ allowedNetworks: allowed }),
    log: {
      warn: (_entry, message) => void lines.warnings.push(message),
      error: (_entry, message) => void lines.errors.push(message),
    },
    signal: stopping.signal,
    firstPause: 5,
  });
  return {
    requests,
    lines,
    stop: () => stopping.abort(),
    async send(webhook: object) {
      const [action] = readActions(JSON.stringify({ one: { filter: '*', webhook: { uri, ...webhook } } }));
      assert.ok(action?.webhook);
      await sender.send({ hook: action.webhook, sid: 'sid', payload: { score: 1 } });
    },
  };
}
