import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { basic } from '../../testing/identity/open-test-identity.ts';
import { openEnrichment } from '../../testing/open-enrichment.ts';
import { type Script, type ScriptedServer, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { until } from '../../testing/until.ts';

const CALLER = {
  authorization: basic('robot:robot-secret'),
  'x-userid': 'grace',
  'x-classification': 'UNRESTRICTED',
};
const PATH = '/api/v1/lookup/enrich';
const DOMAIN = [{ type: 'domain', value: 'example.org' }];

describe('lookups over HTTP', () => {
  it('answers on every path, with and without its final slash', async (context) => {
    const { app } = await open(context, [healthy]);
    for (const url of [PATH, `${PATH}/`, '/enrich', '/enrich/']) {
      const answer = await app.inject({ method: 'POST', url, headers: CALLER, payload: DOMAIN });
      assert.equal(answer.statusCode, 200, url);
      const { s0 } = answer.json().api_response.domain['example.org'];
      assert.deepEqual([s0.source, s0.items.length, s0.error], ['s0', 1, undefined]);
    }
    for (const url of [`${PATH}/domain/example.org`, `${PATH}/domain/example.org/`]) {
      const answer = await app.inject({ url, headers: CALLER });
      assert.equal(answer.json().api_response.s0.items.length, 1);
    }
  });

  const refused: readonly (readonly [what: string, body: unknown, query: string, message: RegExp])[] = [
    ['no array', { type: 'domain' }, '', /^Request data is not in the correct format$/],
    ['no element', [], '', /at least one value/],
    ['a wrong element', [...DOMAIN, { type: 'ip', value: 'x' }], '', /"": value must be an IPv4 or IPv6 address/],
    ['an unknown classification', [{ ...DOMAIN[0], classification: 'WHAT' }], '', /"classification": must be a valid/],
    ['an unknown classification of the query', DOMAIN, '?classification=WHAT', /must be a valid classification/],
    ['too many selectors', Array(5_001).fill(DOMAIN[0]), '', /at most 5000 selectors/],
    ['a long value', [{ type: 'url', value: 'x'.repeat(4_097) }], '', /at most 4096 bytes/],
  ];
  for (const [what, payload, query, message] of refused) {
    it(`refuses ${what} and asks nothing`, async (context) => {
      const { app, servers } = await open(context, [healthy]);
      const answer = await app.inject({
        method: 'POST',
        url: PATH + query,
        headers: CALLER,
        payload: payload as object,
      });
      assert.equal(answer.statusCode, 400);
      assert.match(answer.json().api_error_message, message);
      assert.deepEqual(servers[0]?.requests, []);
    });
  }

  it('sends a line as each source has answered, and how each fared at the end', async (context) => {
    const { app } = await open(context, [healthy, hanging]);
    const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const sent = request(`${url.origin}${PATH}?max_timeout=3`, {
      method: 'POST',
      headers: { ...CALLER, accept: 'application/x-ndjson', 'content-type': 'application/json' },
    });
    const began = Date.now();
    sent.end(JSON.stringify(DOMAIN));
    const [answer] = await once(sent, 'response');
    assert.equal(answer.headers['content-type'], 'application/x-ndjson');
    const [first] = await once(answer, 'data');
    assert.ok(Date.now() - began < 2_500, 'the first line came before the deadline');
    assert.partialDeepStrictEqual(JSON.parse(String(first)), { type: 'domain', value: 'example.org', source: 's0' });
    let rest = '';
    for await (const chunk of answer) rest += chunk;
    const lines = rest
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.partialDeepStrictEqual(lines[0], { source: 's1', result: { error: 'Request Timed Out', items: [] } });
    assert.equal(lines[1].done, true);
    assert.deepEqual(Object.keys(lines[1].sources), ['s0', 's1']);
    assert.equal(lines[1].sources.s1.error, 'Request Timed Out');
  });

  it('refuses wrong input in the envelope, also when lines are wanted', async (context) => {
    const { app } = await open(context, [healthy]);
    const headers = { ...CALLER, accept: 'application/x-ndjson' };
    const answer = await app.inject({ method: 'POST', url: PATH, headers, payload: [{}] });
    assert.equal(answer.statusCode, 400);
    assert.match(answer.json().api_error_message, /^Request data is not in the correct format: "type"/);
  });

  it('ends what is under way when the caller hangs up', async (context) => {
    let [asked, ended] = [0, 0];
    const source = createServer((incoming, response) => {
      if (incoming.url === '/types/') return response.end(JSON.stringify(envelope({ domain: 'U' }).body));
      asked += 1;
      return incoming.socket.once('close', () => {
        ended += 1;
      });
    }).listen(0, '127.0.0.1');
    context.after(() => source.close());
    await once(source, 'listening');
    const { port } = source.address() as AddressInfo;
    const { app } = await openEnrichment(context, sourcesAt([`http://127.0.0.1:${port}`]));
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const sent = request(`${url}${PATH}?max_timeout=60`, {
      method: 'POST',
      headers: { ...CALLER, 'content-type': 'application/json' },
    });
    sent.on('error', () => {});
    sent.end(JSON.stringify(DOMAIN));
    await until('the source is asked', () => asked === 1);
    sent.destroy();
    await until('the call to the source ends', () => ended === 1, 5_000);
  });
});

async function open(context: TestContext, scripts: readonly Script[]) {
  const servers: ScriptedServer[] = [];
  for (const script of scripts) servers.push(await startScriptedServer(script));
  context.after(() => Promise.all(servers.map((server) => server[Symbol.asyncDispose]())));
  return { ...(await openEnrichment(context, sourcesAt(servers.map(({ url }) => url)))), servers };
}

function sourcesAt(urls: readonly string[]) {
  return { 'enrichment.external_sources': urls.map((url, index) => ({ name: `s${index}`, url })) };
}

const envelope = (response: unknown) => ({
  body: { api_response: response, api_error_message: '', api_status_code: 200 },
});

const healthy: Script = ({ method, url, body }) => {
  if (url === '/types/') return envelope({ domain: 'U', url: 'U', ipv4: 'U' });
  if (method === 'GET') return envelope([{}]);
  const selectors = JSON.parse(body) as { readonly type: string; readonly value: string }[];
  return envelope({ domain: Object.fromEntries(selectors.map(({ value }) => [value, { items: [{}] }])) });
};

const hanging: Script = (asked) => (asked.url === '/types/' ? healthy(asked) : 'hang');
