import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Script, type ScriptedServer, startScriptedServer } from '../src/testing/servers/scripted-server.ts';
import { startTestProgram, type TestProgram } from '../src/testing/start-test-program.ts';

const VALUE = 'example.org';
const ITEM = { classification: 'UNRESTRICTED', count: 1, annotations: [] };

const envelope = (response: unknown) => ({ body: { api_response: response, api_error_message: '' } });
const answerOf = (url: string, items: unknown) =>
  envelope(url.startsWith('/lookup/domain/') ? items : { domain: { [VALUE]: { items } } });
const honestAnswer: Script = ({ url }) =>
  url.startsWith('/types') ? envelope({ domain: 'UNRESTRICTED' }) : answerOf(url, [ITEM]);

/** Answers of a plugin to lookups of one domain. */
const ANSWERS: Readonly<Record<string, Script>> = {
  'a page': () => ({ body: '<p>hello</p>', headers: { 'content-type': 'text/html' } }),
  'a page as an error': () => ({ status: 500, body: 'oops' }),
  'a redirect': () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } }),
  'a cut connection': () => 'reset',
  'half an answer': () => 'truncate',
  'a gzip bomb': () => ({ body: BOMB, headers: { 'content-encoding': 'gzip' } }),
  'deep nesting': () => ({ body: `{"api_response":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }),
  'no envelope': () => ({ body: [] }),
  'a number': () => envelope(5),
  'wrong types': ({ url }) => answerOf(url, [{ ...ITEM, count: 'many', annotations: 'none' }]),
  '10,000 items': ({ url }) =>
    answerOf(
      url,
      Array.from({ length: 10_000 }, () => ITEM),
    ),
  'no answer': () => 'hang',
};
const BOMB = gzipSync(Buffer.alloc(50_000_000, ' '));
/** Answers that are none to the question. */
const OFF_TOPIC: Readonly<Record<string, unknown>> = {
  'another type': { ipv4: { [VALUE]: { items: [ITEM] } } },
  'another value': { domain: { 'other.example': { items: [ITEM] } } },
};

let hostile: ScriptedServer;
let honest: ScriptedServer;
let flood: Server;
/** Bytes that the endless answer had so far. */
let flooded = 0;
let program: TestProgram;
let script: Script = honestAnswer;
before(async () => {
  hostile = await startScriptedServer((request) =>
    request.url.startsWith('/types') ? honestAnswer(request) : script(request),
  );
  honest = await startScriptedServer(honestAnswer);
  flood = await startFlood();
  const { port } = flood.address() as AddressInfo;
  program = await startTestProgram({
    demo: 'none',
    settings: {
      'enrichment.own_sources': '',
      'enrichment.api_keys': { robot: 'robot-secret' },
      'enrichment.external_sources': [
        { name: 'hostile', url: hostile.url },
        { name: 'honest', url: honest.url },
        { name: 'flood', url: `http://127.0.0.1:${port}`, include_default: false },
      ],
    },
  });
});
after(async () => {
  await program.close();
  await Promise.all([hostile[Symbol.asyncDispose](), honest[Symbol.asyncDispose]()]);
  flood.closeAllConnections();
  flood.close();
});

describe('a plugin that answers a lookup with', () => {
  for (const [what, answer] of Object.entries(ANSWERS)) {
    it(`${what} has an error of one sentence with an id, and the others are whole`, async () => {
      script = answer;
      for (const results of await everyLookup('hostile,honest')) {
        assert.deepEqual(results.honest?.items, [ITEM]);
        assert.equal(results.honest?.error, undefined);
        assertError(results.hostile);
      }
    });
  }

  for (const [what, response] of Object.entries(OFF_TOPIC)) {
    it(`${what} has said nothing`, async () => {
      script = () => envelope(response);
      const [bulk] = await everyLookup('hostile,honest');
      assert.equal(bulk?.hostile, undefined);
      assert.deepEqual(bulk?.honest?.items, [ITEM]);
    });
  }

  it('1 GB has an error, after a part of it that does not fill the memory', async () => {
    const memory = process.memoryUsage.rss();
    for (const results of await everyLookup('flood,honest')) {
      assert.deepEqual(results.honest?.items, [ITEM]);
      assertError(results.flood);
    }
    assert.ok(flooded < 300_000_000, `${flooded} bytes were read`);
    const grown = process.memoryUsage.rss() - memory;
    assert.ok(grown < 200_000_000, `the memory grew by ${grown} bytes`);
  });
});

interface Result {
  readonly items: readonly unknown[];
  readonly error?: string;
}
type Results = Readonly<Record<string, Result>>;

/** A sentence with the id of the details in the log, or the recorded words of a single lookup. */
function assertError(result: Result | undefined): void {
  assert.deepEqual(result?.items, []);
  assert.match(result?.error ?? '', /^([^\n]{5,1000}\b[0-9a-f]{16}\b[^\n]*|Request Timed Out)$/);
  assert.doesNotMatch(result?.error ?? '', /169\.254|127\.0\.0\.1|\bat \w+ \(/);
}

/** Returns the results by source of a bulk lookup, of one in lines, and of a single one. */
async function everyLookup(sources: string): Promise<readonly Results[]> {
  const query = `?sources=${sources}&max_timeout=2`;
  const json = [{ type: 'domain', value: VALUE }];
  const [bulk, lines, single] = await Promise.all([
    send(`/enrich/${query}`, { method: 'POST', json }),
    send(`/enrich/${query}`, { method: 'POST', json, headers: { accept: 'application/x-ndjson' } }),
    send(`/api/v1/lookup/enrich/domain/${VALUE}${query}`, {}),
  ]);
  const inLines = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { source?: string; result: Result });
  return [
    bulk.json.api_response.domain[VALUE],
    Object.fromEntries(inLines.flatMap(({ source, result }) => (source === undefined ? [] : [[source, result]]))),
    single.json.api_response,
  ];
}

async function send(path: string, { headers, ...request }: { method?: string; json?: unknown; headers?: object }) {
  const caller = { 'x-userid': 'grace', 'x-classification': 'UNRESTRICTED', ...headers };
  const answer = await program.request(path, {
    service: 'enrichment',
    basic: 'robot:robot-secret',
    headers: caller,
    ...request,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

/** A plugin whose answers to lookups do not end before 1 GB. */
async function startFlood(): Promise<Server> {
  const chunk = Buffer.alloc(1_000_000, ' ');
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url?.startsWith('/types')) {
      response.end(JSON.stringify(envelope({ domain: 'UNRESTRICTED' }).body));
      return;
    }
    let left = 1000;
    const write = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        flooded += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
