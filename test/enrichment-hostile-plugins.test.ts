import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { aFetcher, anAction } from '../src/testing/enrichment/offering-sources.ts';
import { type Script, type ScriptedServer, startScriptedServer } from '../src/testing/servers/scripted-server.ts';
import { startTestProgram, type TestAnswer, type TestProgram } from '../src/testing/start-test-program.ts';

const OFFERS = { classification: 'UNRESTRICTED' };
const ACTIONS = { run: anAction('run', OFFERS) };
const FETCHERS = { run: aFetcher('run', OFFERS) };
const BODY = { type: 'domain', value: 'example.org' };

const envelope = (response: unknown) => ({ body: { api_response: response, api_error_message: '' } });
const listing: Script = ({ url }) => envelope(url === '/actions/' ? ACTIONS : FETCHERS);

let hostile: ScriptedServer;
let honest: ScriptedServer;
let program: TestProgram;
/** The present behaviour of the hostile plugin. */
let script: Script = listing;
/** Another one for each test: lists of fetchers are kept for a caller. */
let user = 0;
before(async () => {
  hostile = await startScriptedServer((request) => script(request));
  honest = await startScriptedServer(listing);
  program = await startTestProgram({
    demo: 'none',
    settings: {
      'enrichment.api_keys': { robot: 'robot-secret' },
      'enrichment.own_sources': '',
      'enrichment.external_sources': [
        { name: 'hostile', url: hostile.url },
        { name: 'honest', url: honest.url },
      ],
    },
  });
});
after(async () => {
  await program.close();
  await hostile[Symbol.asyncDispose]();
  await honest[Symbol.asyncDispose]();
});
beforeEach(() => {
  user += 1;
  script = listing;
});

const nested = `{"api_response":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));

/** Answers of a plugin, with the statuses of an action and of a fetcher. */
const ANSWERS: Readonly<Record<string, readonly [script: Script, action: number, fetcher: number]>> = {
  'a page': [() => ({ body: '<p>hello</p>', headers: { 'content-type': 'text/html' } }), 500, 502],
  'a page as an error': [() => ({ status: 500, body: 'oops' }), 500, 502],
  'its message': [() => ({ status: 503, body: { api_error_message: 'come back\nlater' } }), 500, 502],
  'a redirect': [() => ({ status: 302, headers: { location: 'http://169.254.169.254/' } }), 500, 502],
  'a cut connection': [() => 'reset', 500, 502],
  'half an answer': [() => 'truncate', 500, 502],
  'more than 10 MB': [() => ({ body: ' '.repeat(10_000_001) }), 500, 502],
  'a gzip bomb': [() => ({ body: bomb, headers: { 'content-encoding': 'gzip' } }), 500, 502],
  'deep nesting': [() => ({ body: nested }), 500, 502],
  'no envelope': [() => ({ body: [] }), 500, 502],
  nothing: [() => envelope(null), 502, 502],
  'a number': [() => envelope(5), 502, 502],
  'another outcome': [() => envelope({ outcome: 'perhaps' }), 502, 502],
  'an object as markdown': [() => envelope({ outcome: 'success', format: 'markdown', output: {}, data: {} }), 502, 502],
  'no answer': [() => 'hang', 504, 504],
};

describe('a plugin that answers', () => {
  for (const [what, [answer, actionStatus, fetcherStatus]] of Object.entries(ANSWERS)) {
    it(`${what} to an action or a fetcher is asked once, and answered in one sentence`, async () => {
      script = (request) => (request.method === 'POST' ? answer(request) : listing(request));
      const calls = [
        ['/api/v1/actions/execute/hostile/run', { selector: BODY }, actionStatus],
        ['/api/v1/fetchers/hostile/run', BODY, fetcherStatus],
      ] as const;
      for (const [path, json, status] of calls) {
        const before = posts();
        const began = performance.now();
        const answered = await send(path, json);
        assert.equal(answered.status, status, answered.text);
        assert.match(answered.json.api_error_message, /^[^\n]{5,500}$/);
        assert.doesNotMatch(answered.text, /169\.254|127\.0\.0\.1|\bat \w+ \(/);
        assert.equal(posts() - before, 1);
        assert.ok(performance.now() - began < 4000);
      }
    });

    it(`${what} to a listing is left out of it, and the others are there`, async () => {
      script = answer;
      for (const { status, json } of await Promise.all(['actions', 'fetchers'].map(list))) {
        assert.deepEqual([status, Object.keys(json.api_response)], [200, ['honest.run']]);
      }
      const run = await send('/api/v1/actions/execute/hostile/run', { selector: BODY });
      assert.ok(run.status >= 500, 'what cannot be checked does not run');
    });
  }

  it('is never sent the key of the caller', () => {
    assert.ok(hostile.requests.length > 0);
    for (const { headers } of [...hostile.requests, ...honest.requests]) {
      assert.equal(headers.authorization, undefined);
      assert.equal(headers['x-clue-authorization'], undefined);
      assert.equal(headers['x-userid'], undefined);
    }
  });
});

function posts(): number {
  return hostile.requests.filter(({ method }) => method === 'POST').length;
}

function list(resource: string): Promise<TestAnswer> {
  return program.request(`/api/v1/${resource}/`, { service: 'enrichment', ...caller() });
}

function send(path: string, json: object): Promise<TestAnswer> {
  const request = { method: 'POST', ...caller(), json };
  return program.request(`${path}?max_timeout=1`, { service: 'enrichment', ...request });
}

function caller() {
  const headers = { 'x-userid': `user-${user}`, 'x-classification': 'UNRESTRICTED' };
  return { basic: 'robot:robot-secret', headers };
}
