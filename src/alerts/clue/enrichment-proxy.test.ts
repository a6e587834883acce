import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTriadError } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { EnrichmentProxy, type ProxiedRequest } from './enrichment-proxy.ts';

const ACTOR = { username: 'ada' } as Actor;
const ANSWER = { body: { api_response: { domain: {} }, api_error_message: '', api_status_code: 200 } };
const FAILED = { code: 'enrichment_failed', message: 'Something went wrong when connecting to clue' };

describe('EnrichmentProxy', () => {
  it('passes on method, path, query and body with a token in place of the credential', async () => {
    await using opened = await open(() => ANSWER, '/base/');
    const body = [{ type: 'domain', value: 'example.org' }];
    const target = 'api/v1/lookup/enrich?sources=a%2Cb&max_timeout=5';
    assert.deepEqual(await opened.forward({ method: 'POST', target, body }), { domain: {} });
    await opened.forward({ target: 'api/v1/lookup/enrich/url/a%252Fb/' });
    const [posted, read] = opened.server.requests;
    assert.deepEqual([posted?.method, posted?.url], ['POST', `/base/${target}`]);
    assert.deepEqual(JSON.parse(posted?.body ?? ''), body);
    assert.equal(posted?.headers['content-type'], 'application/json');
    assert.deepEqual([read?.method, read?.url, read?.body], ['GET', '/base/api/v1/lookup/enrich/url/a%252Fb/', '']);
    for (const { headers } of [posted, read].filter((one) => one !== undefined)) {
      assert.equal(headers.authorization, 'Bearer token of ada');
      assert.equal(headers.accept, 'application/json');
    }
  });

  it('answers null when the service has no data', async () => {
    await using opened = await open(() => ({ body: { api_status_code: 200 } }));
    assert.equal(await opened.forward({}), null);
  });

  it('reports a refusal of the service with its answer', async () => {
    const refusal = { api_response: { success: false }, api_error_message: 'no', api_status_code: 400 };
    await using opened = await open(() => ({ status: 400, body: refusal }));
    await assert.rejects(opened.forward({}), { ...FAILED, response: refusal });
  });

  const failures: Readonly<Record<string, Script>> = {
    'a redirect': () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    'a page': () => ({ body: '<html>', headers: { 'content-type': 'text/html' } }),
    'a list': () => ({ body: [] }),
    'half an answer': () => 'truncate',
    'a cut connection': () => 'reset',
    'more than 32 MB': () => ({ body: ' '.repeat(32 * 1024 * 1024 + 1) }),
  };
  for (const [what, script] of Object.entries(failures)) {
    it(`fails after ${what}`, async () => {
      await using opened = await open(script);
      await assert.rejects(opened.forward({}), FAILED);
      assert.equal(opened.warnings.length, 1);
    });
  }

  it('gives up when the time is over, and when the caller is gone', async () => {
    await using opened = await open(() => 'hang', '', 300);
    await assert.rejects(opened.forward({}), { code: 'enrichment_timed_out', kind: 'upstream_timed_out' });
    const gone = AbortSignal.abort();
    await assert.rejects(opened.forward({ signal: gone }), (error) => !isTriadError(error));
  });

  it('leads to nothing beside the service', async () => {
    await using opened = await open(() => ANSWER, '/base');
    for (const target of ['../secret', '%2e%2e/secret', 'a/..%2f../../b/../../../secret', '..\\secret']) {
      await assert.rejects(opened.forward({ target }), { code: 'unknown_path' }, target);
    }
    await opened.forward({ target: '/127.0.0.1:1/x' });
    assert.deepEqual(
      opened.server.requests.map(({ url }) => url),
      ['/base//127.0.0.1:1/x'],
    );
  });
});

async function open(script: Script, path = '', timeout = 20_000) {
  const server = await startScriptedServer(script);
  const warnings: string[] = [];
  const log = { warn: (_entry: object, message: string) => void warnings.push(message) } as never;
  const tokens = { tokenFor: async ({ username }: Actor) => `token of ${username}` };
  const proxy = new EnrichmentProxy({ url: `${server.url}${path}`, tokens, log, timeout });
  const usual = { method: 'GET', target: 'api/v1/lookup/types/', body: undefined, authorization: undefined } as const;
  return {
    server,
    warnings,
    forward: (request: Partial<ProxiedRequest>) =>
      proxy.forward(ACTOR, { ...usual, signal: new AbortController().signal, ...request }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
