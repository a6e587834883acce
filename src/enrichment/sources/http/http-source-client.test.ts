import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { isPublicAddress } from '../../../identity/limits/public-addresses.ts';
import { type Script, startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import type { SourceCall } from '../source-client.ts';
import { HttpSourceClient, type HttpSourceClientOptions } from './http-source-client.ts';

const FLAGS = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };

describe('HttpSourceClient', () => {
  it('sends what the protocol says, below the path of the address', async (context) => {
    const { client, server } = await open(context, () => envelope([]));
    const call = callOf({ token: 'a.b.c', originalToken: 'd.e.f' });
    const flags = { limit: 2, maxTimeout: 20, noAnnotation: true, includeRaw: true, noCache: true };
    await client.lookupOne('url', "https://É.example/a b?('x')", flags, call);
    await client.lookup([{ type: 'domain', value: 'x', classification: 'U', sources: null }], FLAGS, callOf());
    await client.runFetcher('get it', { type: 'ip' }, call);
    await client.runAction('..', {}, callOf());
    const [single, bulk, fetcher, action] = server.requests;
    const value = 'https%253a%252f%252f%25c3%2589.example%252fa%2520b%253f%2528%2527x%2527%2529';
    assert.match(
      single?.url ?? '',
      new RegExp(
        `^/base/lookup/url/${value}/\\?limit=2&max_timeout=19\\.0&deadline=\\d+\\.\\d+&no_annotation=True&include_raw=True&no_cache=True$`,
      ),
    );
    assert.equal(single?.headers.authorization, 'Bearer a.b.c');
    assert.equal(single?.headers['x-clue-authorization'], 'd.e.f');
    assert.match(bulk?.url ?? '', /^\/base\/lookup\/\?limit=10&max_timeout=4\.75&deadline=[\d.]+$/);
    assert.equal(bulk?.body, '[{"type":"domain","value":"x","classification":"U"}]');
    assert.equal(bulk?.headers.authorization, undefined);
    assert.equal(bulk?.headers['content-type'], 'application/json');
    assert.equal(fetcher?.url, '/base/fetchers/get%20it');
    assert.equal(fetcher?.headers.authorization, 'Bearer a.b.c');
    assert.equal(fetcher?.headers['x-clue-authorization'], undefined);
    assert.equal(action?.url, '/base/actions/%252e%252e');
  });

  it('keeps connections for calls one after the other', async (context) => {
    const { client, server } = await open(context, () => envelope({}));
    for (let call = 0; call < 5; call += 1) await client.types(callOf());
    // The second call begins before the first connection is free again.
    assert.ok(server.connections() <= 2);
  });

  for (const answer of [{ status: 500 }, { status: 503 }, { status: 429 }, 'reset', 'truncate'] as const) {
    const name = typeof answer === 'string' ? answer : `status ${answer.status}`;
    it(`repeats a lookup twice after ${name}, an action and a fetcher never`, async (context) => {
      let failing = 2;
      const { client, server } = await open(context, () => (failing-- > 0 ? answer : envelope({ fine: true })));
      assert.deepEqual(await client.lookup([], FLAGS, callOf()), { fine: true });
      assert.equal(server.requests.length, 3);
      failing = 3;
      await assert.rejects(client.lookupOne('domain', 'x', FLAGS, callOf()));
      assert.equal(server.requests.length, 6);
      failing = 2;
      await assert.rejects(client.runAction('a', {}, callOf()));
      await assert.rejects(client.runFetcher('a', {}, callOf()));
      assert.equal(server.requests.length, 8);
    });
  }

  it('repeats nothing after other errors', async (context) => {
    const { client, server } = await open(context, () => ({ status: 400, body: { api_error_message: 'a\n b' } }));
    await assert.rejects(client.lookup([], FLAGS, callOf()), { kind: 'status', status: 400, pluginMessage: 'a b' });
    assert.equal(server.requests.length, 1);
  });

  it('obeys Retry-After, and gives up when the time it names is after the deadline', async (context) => {
    let wait = '1';
    let isLimited = true;
    const { client, server } = await open(context, () => {
      if (!isLimited) return envelope({ fine: true });
      isLimited = false;
      return { status: 429, headers: { 'retry-after': wait }, body: {} };
    });
    const began = performance.now();
    assert.deepEqual(await client.lookup([], FLAGS, callOf({ timeout: 4_000 })), { fine: true });
    assert.ok(performance.now() - began > 900);
    for (const later of ['30', new Date(Date.now() + 60_000).toUTCString()]) {
      [wait, isLimited] = [later, true];
      const before = server.requests.length;
      const refused = client.lookup([], FLAGS, callOf({ timeout: 4_000 }));
      await assert.rejects(refused, (error: { retryAt?: Date }) => {
        const seconds = ((error.retryAt?.getTime() ?? 0) - Date.now()) / 1000;
        return seconds > 20 && seconds < 61;
      });
      assert.equal(server.requests.length, before + 1);
    }
  });

  it('does not begin a repetition that cannot end before the deadline', async (context) => {
    const { client, server } = await open(context, () => ({ status: 500 }));
    await assert.rejects(client.lookup([], FLAGS, callOf({ timeout: 140 })), { status: 500 });
    assert.equal(server.requests.length, 1);
  });

  const unusable: Readonly<Record<string, Script>> = {
    'a redirect': () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    'another body than JSON': () => ({ body: '<p>hello</p>' }),
    'no envelope': () => ({ body: { domain: {} } }),
    'a list instead of the envelope': () => ({ body: [1, 2] }),
    nothing: () => ({ status: 204 }),
    'deeply nested lists': () => ({ body: `{"api_response":${'['.repeat(50_000)}${']'.repeat(50_000)}}` }),
    'a key that changes objects': () => ({ body: '{"api_response":{"domain":{"__proto__":{"items":[]}}}}' }),
    'an unknown encoding': () => ({ headers: { 'content-encoding': 'compress' }, body: '{}' }),
    'an encoding that it has not': () => ({ headers: { 'content-encoding': 'gzip' }, body: '{"api_response":{}}' }),
    'more than it may send': () => envelope('x'.repeat(200_000)),
  };
  for (const [what, script] of Object.entries(unusable)) {
    it(`cannot use ${what}`, async (context) => {
      const { client } = await open(context, script, { maxAnswerBytes: 100_000 });
      await assert.rejects(client.lookup([], FLAGS, callOf()), { kind: 'unusable' });
    });
  }

  it('unpacks answers, up to their limit after unpacking', async (context) => {
    for (const [encoding, pack] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: fastBrotli })) {
      let body = pack(JSON.stringify(envelope('fine').body));
      const client = await rawServer(context, (response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(body);
      });
      assert.equal(await client.types(callOf()), 'fine');
      body = pack(JSON.stringify(envelope('x'.repeat(50_000_000)).body));
      const before = process.memoryUsage().rss;
      await assert.rejects(client.types(callOf()), { kind: 'unusable' });
      assert.ok(process.memoryUsage().rss - before < 200_000_000);
    }
  });

  it('ends an answer without an end at its limit, and one that stops at the deadline', async (context) => {
    const endless = await rawServer(context, (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20)));
      };
      response.on('drain', more);
      more();
    });
    const stopping = await rawServer(context, (response) => void response.writeHead(200).write('{"api_resp'));
    await assert.rejects(endless.types(callOf({ timeout: 10_000 })), { kind: 'unusable' });
    await assert.rejects(stopping.types(callOf({ timeout: 200 })), { kind: 'timed_out' });
  });

  it('connects to no link-local address, nor to one that is not allowed', async (context) => {
    const refused = async (options: HttpSourceClientOptions) => {
      const client = new HttpSourceClient(options);
      context.after(async () => client.close());
      await assert.rejects(client.types(callOf()), { kind: 'unreachable', message: /not allowed$/ });
    };
    for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]']) {
      await refused({ url: `http://${host}/` });
    }
    const { server } = await open(context, () => envelope({}));
    const isAllowedAddress = isPublicAddress;
    await refused({ url: server.url, isAllowedAddress });
    await refused({ url: server.url.replace('127.0.0.1', 'localhost'), isAllowedAddress });
    assert.equal(server.requests.length, 0);
  });

  it('distinguishes a missing server from one that breaks off', async (context) => {
    const nowhere = new HttpSourceClient({ url: 'http://127.0.0.1:1' });
    context.after(async () => nowhere.close());
    await assert.rejects(nowhere.types(callOf()), { kind: 'unreachable', isReset: false });
    const { client } = await open(context, () => 'reset');
    await assert.rejects(client.runAction('a', {}, callOf()), { kind: 'unreachable', isReset: true });
  });

  it('ends calls when it is closed, and makes no others', async (context) => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { client } = await open(context, () => {
      arrived();
      return 'hang';
    });
    const running = client.runAction('a', {}, callOf());
    await Promise.all([assert.rejects(running, { kind: 'unreachable' }), arrival.then(() => client.close())]);
    await assert.rejects(client.types(callOf()), { kind: 'cancelled' });
  });
});

interface TestContext {
  after(end: () => Promise<void>): void;
}

async function open(context: TestContext, script: Script, options: Partial<HttpSourceClientOptions> = {}) {
  const server = await startScriptedServer(script);
  const client = new HttpSourceClient({ url: `${server.url}/base/`, ...options });
  context.after(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });
  return { client, server };
}

async function rawServer(context: TestContext, answer: (response: ServerResponse) => void) {
  const { url, close } = await listening((response) => answer(response));
  const client = new HttpSourceClient({ url, maxAnswerBytes: 1_000_000 });
  context.after(async () => {
    await client.close();
    await close();
  });
  return client;
}

function fastBrotli(text: string): Buffer {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

async function listening(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function callOf(options: Partial<SourceCall> & { readonly timeout?: number } = {}): SourceCall {
  const { timeout = 3_000, ...rest } = options;
  const caller = { username: 'goose', classification: 'UNRESTRICTED' };
  return { signal: new AbortController().signal, deadline: Date.now() + timeout, caller, ...rest };
}

function envelope(content: unknown) {
  return { body: { api_response: content, api_error_message: '', api_status_code: 200 } };
}
