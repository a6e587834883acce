import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPort } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type ConnectionState, connectionState, send, subscribeToConnection } from './connection.ts';
import { ApiProblem } from './problem.ts';

type Answer = (response: ServerResponse) => void;

const busy: Answer = (response) => response.writeHead(503, { 'retry-after': '1' }).end('{}');
const good: Answer = (response) => response.end('{}');
const missing: Answer = (response) => response.writeHead(404).end('{}');

describe('the state of the connection', () => {
  /** Answers by path, of which each request takes one. */
  const answers = new Map<string, Answer[]>();
  const server = createServer((request, response) => {
    (answers.get(request.url ?? '')?.shift() ?? good)(response);
  });
  let origin = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const read = (path: string, ...given: Answer[]) => {
    answers.set(path, given);
    const leaving = new AbortController();
    const answer = send(new Request(origin + path, { signal: leaving.signal }));
    return { answer, leave: () => leaving.abort() };
  };
  const kind = () => connectionState().kind;
  /** Resolves at once or when the state becomes one of the kind. */
  const become = (wanted: ConnectionState['kind']) =>
    new Promise<void>((resolve) => {
      if (kind() === wanted) return resolve();
      const end = subscribeToConnection(() => {
        if (kind() !== wanted) return;
        end();
        resolve();
      });
    });

  it('is waiting while one read waits, though others have answers, and online afterwards', async () => {
    const started = Date.now();
    const slow = read('/slow', busy, good);
    await become('waiting');
    const state = connectionState();
    assert.ok(state.kind === 'waiting' && state.until >= started + 1000, JSON.stringify(state));
    await read('/fast').answer;
    await assert.rejects(read('/missing', missing).answer, ApiProblem);
    assert.equal(connectionState(), state, 'the same object until it changes');
    await slow.answer;
    assert.equal(kind(), 'online');
  });

  it('is online when no person waits any more: the reads were ended, or refused', async () => {
    const [first, second] = [read('/first', busy, busy, busy), read('/second', busy, missing)];
    const refused = assert.rejects(second.answer, { status: 404 });
    const ended = assert.rejects(first.answer, { name: 'AbortError' });
    await become('waiting');
    await refused;
    assert.equal(kind(), 'waiting');
    first.leave();
    await ended;
    assert.equal(kind(), 'online');
  });

  it('does not wait for a write, which is not repeated', async () => {
    answers.set('/write', [busy]);
    await assert.rejects(send(new Request(`${origin}/write`, { method: 'POST' })), { status: 503 });
    assert.equal(kind(), 'online');
  });

  it('is offline without an answer, until the next answer of any request', async () => {
    const port = createPort();
    port.listen(0, '127.0.0.1');
    await once(port, 'listening');
    const { port: closed } = port.address() as AddressInfo;
    port.close();
    await once(port, 'close');
    const waits = read('/busy', busy, good);
    await become('waiting');
    const leaving = new AbortController();
    const lost = send(new Request(`http://127.0.0.1:${closed}/`, { signal: leaving.signal }));
    const ended = assert.rejects(lost, { name: 'AbortError' });
    await become('offline');
    await read('/answer').answer;
    assert.notEqual(kind(), 'offline');
    leaving.abort();
    await ended;
    await waits.answer;
    assert.equal(kind(), 'online');
  });
});
