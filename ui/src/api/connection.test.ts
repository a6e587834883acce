import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Connection, type ConnectionState } from './connection.ts';
import { ApiProblem } from './problem.ts';

type Answer = (response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };
const refusal =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, { ...json, ...headers }).end('{}');
const busy = refusal(503, { 'retry-after': '1' });
const good: Answer = (response) => response.writeHead(200, json).end('{}');
const missing = refusal(404);
const cut: Answer = (response) => response.destroy();
/** The answer of a proxy whose program does not answer. */
const gateway: Answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<p>Bad gateway');

/** A server that can go away and come back at its address, and a connection to it with short seconds. */
class Scene {
  readonly connection = new Connection({ second: 20 });
  /** Answers by path, of which each request takes one; then all are good. */
  readonly answers = new Map<string, Answer[]>();
  readonly requests: IncomingMessage[] = [];
  origin = '';
  #server: Server | undefined;

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      this.requests.push(request);
      (this.answers.get(request.url ?? '')?.shift() ?? good)(response);
    });
    this.#server.listen(this.origin === '' ? 0 : Number(new URL(this.origin).port), '127.0.0.1');
    await once(this.#server, 'listening');
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  send(path: string, init: RequestInit = {}, ...answers: Answer[]): Promise<Response> {
    this.answers.set(path, answers);
    return this.connection.send(new Request(this.origin + path, init));
  }

  read(path: string, ...answers: Answer[]) {
    const leaving = new AbortController();
    return { answer: this.send(path, { signal: leaving.signal }, ...answers), leave: () => leaving.abort() };
  }

  count(path: string): number {
    return this.requests.filter(({ url }) => url === path).length;
  }

  get kind(): ConnectionState['kind'] {
    return this.connection.state.read().kind;
  }

  /** Resolves at once or when the state becomes one of the kind. */
  async become(wanted: ConnectionState['kind']): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => this.kind === wanted && resolve();
    const end = this.connection.state.subscribe(look);
    look();
    await promise;
    end();
  }
}

let scene: Scene;
beforeEach(async () => {
  scene = new Scene();
  await scene.start();
});
afterEach(() => scene.stop());

describe('a server that asks for a pause', () => {
  it('makes the connection wait while one read waits, though others have answers', async () => {
    const slow = scene.read('/slow', refusal(503, { 'retry-after': '40' }), good);
    await scene.become('waiting');
    const state = scene.connection.state.read();
    await scene.read('/fast').answer;
    await assert.rejects(scene.read('/missing', missing).answer, ApiProblem);
    assert.equal(scene.connection.state.read(), state, 'the same object until it changes');
    await slow.answer;
    assert.equal(scene.kind, 'online');
  });

  it('has an answer in the end, however long it is busy, and says why', async () => {
    const reason = 'The columns are being rebuilt.';
    const rebuilding: Answer = (response) =>
      response.writeHead(503, { ...json, 'retry-after': '1' }).end(JSON.stringify({ api_error_message: reason }));
    const reasons = new Set<string | undefined>();
    scene.connection.state.subscribe(() => {
      const state = scene.connection.state.read();
      if (state.kind === 'waiting') reasons.add(state.reason);
    });
    await scene.read('/columns', ...Array.from({ length: 12 }, () => rebuilding)).answer;
    assert.equal(scene.count('/columns'), 13);
    assert.deepEqual([...reasons], [undefined, reason], 'not for one short pause');
  });

  it('is left alone when no person waits any more: the reads were ended, or refused', async () => {
    const [first, second] = [scene.read('/first', busy, busy, busy), scene.read('/second', busy, missing)];
    const refused = assert.rejects(second.answer, { status: 404 });
    const ended = assert.rejects(first.answer, { name: 'AbortError' });
    await scene.become('waiting');
    await refused;
    first.leave();
    await ended;
    assert.equal(scene.kind, 'online');
  });

  it('is not waited for by a read that ends while the refusal is on its way', async () => {
    const slowly: Answer = (response) => {
      response.writeHead(503, { ...json, 'retry-after': '60' });
      response.write('{');
      leave();
    };
    const { answer, leave } = scene.read('/ending', slowly);
    await assert.rejects(answer, { name: 'AbortError' });
    assert.equal(scene.kind, 'online');
  });

  it('gets a write again only where it refused it before it began', async () => {
    const quota = { 'retry-after': '1', 'x-error-code': 'quota_exceeded' };
    const answer = await scene.send('/quota', { method: 'POST', body: 'x' }, refusal(429, quota), refusal(429, quota));
    assert.deepEqual([answer.status, scene.count('/quota')], [200, 3]);
    await assert.rejects(scene.send('/write', { method: 'POST' }, busy), { status: 503 });
    assert.equal(scene.count('/write'), 1);
    assert.equal(scene.kind, 'online');
  });
});

describe('a server that does not answer', () => {
  it('is asked until it does; then the reads go on, without their user', async () => {
    await scene.stop();
    const reads = ['/one', '/two'].map((path) => scene.read(path).answer);
    await scene.become('offline');
    const state = scene.connection.state.read();
    assert.ok(state.kind === 'offline' && state.until > Date.now() - 1000);
    // Longer than the five tries that end a read whose server answers others.
    await new Promise((resolve) => setTimeout(resolve, 20 * (1 + 2 + 4 + 8 + 16)));
    await scene.start();
    scene.connection.askNow();
    const answers = await Promise.all(reads);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(scene.kind, 'online');
  });

  it('leaves a write as it is, which may have arrived, and is asked in the background', async () => {
    await scene.stop();
    await assert.rejects(scene.send('/write', { method: 'PUT' }), { status: 0, code: 'no_answer' });
    await scene.become('offline');
    await scene.start();
    await scene.become('online');
    assert.equal(scene.count('/write'), 0);
  });

  it('may stand behind a proxy that does', async () => {
    const gone = Array.from({ length: 8 }, () => gateway);
    scene.answers.set('/session', [...gone]);
    const { answer } = scene.read('/page', gateway, gateway);
    await scene.become('offline');
    assert.equal((await answer).status, 200);
    assert.equal(scene.count('/session'), 10, 'eight questions in vain, one that ended it, one for the second loss');
  });

  it('is no longer waited for by a read that ends', async () => {
    await scene.stop();
    const { answer, leave } = scene.read('/left');
    const ended = assert.rejects(answer, { name: 'AbortError' });
    await scene.become('offline');
    leave();
    await ended;
    await scene.start();
    await scene.become('online');
    assert.equal(scene.count('/left'), 0);
  });

  it('to one read alone gets it four times more, and is not called offline', async () => {
    const kinds = new Set<string>();
    scene.connection.state.subscribe(() => kinds.add(scene.kind));
    const { answer } = scene.read('/cut', cut, cut, cut, cut, cut);
    await assert.rejects(answer, { code: 'no_answer' });
    // Node repeats a request whose kept connection was cut.
    assert.ok(scene.count('/cut') >= 5);
    assert.deepEqual([...kinds], []);
    assert.equal((await scene.read('/once', cut, good).answer).status, 200);
  });
});

describe('a session that has ended', () => {
  it('is asked for once, and the request repeated', async () => {
    let asked = 0;
    scene.connection.onSessionEnd(async () => {
      asked += 1;
      return true;
    });
    const unknown = refusal(401);
    assert.equal((await scene.send('/write', { method: 'POST', body: 'x' }, unknown)).status, 200);
    await assert.rejects(scene.read('/again', unknown, unknown).answer, { status: 401 });
    assert.equal(asked, 2);
  });
});

describe('a refusal', () => {
  it('is said in the words of the page, where it has some', async () => {
    scene.connection.explainRefusals(({ code, needs }) =>
      code === 'missing_privilege' ? `You need ${needs.join(' or ')}.` : undefined,
    );
    const needs = { 'x-error-code': 'missing_privilege', 'x-error-needs': 'W, E' };
    await assert.rejects(scene.send('/write', { method: 'POST' }, refusal(403, needs)), {
      ...{ message: 'You need W or E.', status: 403, code: 'missing_privilege' },
    });
    await assert.rejects(scene.read('/other', refusal(403)).answer, { message: '403 Forbidden' });
  });
});

describe('a request', () => {
  it('says that it comes from a page', async () => {
    await scene.read('/marked').answer;
    assert.equal(scene.requests.at(-1)?.headers['x-requested-with'], 'triad');
  });

  it('may be sent another way, with the same rules', async () => {
    const sent: string[] = [];
    const statuses = [401, 200];
    scene.connection.onSessionEnd(async () => true);
    const request = new Request(`${scene.origin}/upload`, { method: 'POST' });
    const answer = await scene.connection.send(request, async ({ url }) => {
      sent.push(new URL(url).pathname);
      return new Response('{}', { status: statuses.shift() ?? 500 });
    });
    assert.deepEqual([answer.status, sent], [200, ['/upload', '/upload']]);
  });
});
