import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openEnrichment } from '../../testing/open-enrichment.ts';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import type { SourceStatus } from './source-status.ts';

const TYPES = { body: { api_response: { domain: 'UNRESTRICTED' }, api_error_message: '', api_status_code: 200 } };
const FAILED = {
  status: 500,
  body: { api_response: null, api_error_message: 'the SECRET of another caller', api_status_code: 500 },
};

describe('GET /api/v1/sources', () => {
  it('reports the state of the sources that the caller may see', async (context) => {
    const { statusesFor, ask } = await open(context, ({ url }) => (url.startsWith('/broken') ? FAILED : TYPES));
    assert.deepEqual(
      (await statusesFor('UNRESTRICTED')).map(({ name, state }) => [name, state]),
      [
        ['open', 'not_asked'],
        ['broken', 'not_asked'],
      ],
    );
    await ask('RESTRICTED');
    const [first, broken, closed] = await statusesFor('RESTRICTED');
    assert.equal(first?.state, 'answering');
    assert.ok((first?.latency?.p95 ?? 0) >= (first?.latency?.p50 ?? 1));
    assert.deepEqual(first?.limits, {
      concurrency: 3,
      working: 0,
      waiting: 0,
      rates: [{ limit: '4/minute', left: 4 }],
    });
    assert.equal(broken?.state, 'failing');
    assert.equal(closed?.name, 'closed');
    const { at, ...last } = broken?.last_error ?? { at: '' };
    assert.deepEqual(last, { kind: 'status', status: 500 });
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
  });

  it('holds no words of a source', async (context) => {
    const { statusesFor, ask } = await open(context, () => FAILED);
    await ask('UNRESTRICTED');
    assert.doesNotMatch(JSON.stringify(await statusesFor('UNRESTRICTED')), /SECRET/);
  });

  it('is for callers with a credential', async (context) => {
    const { app } = await open(context, () => TYPES);
    assert.equal((await app.inject('/api/v1/sources')).statusCode, 401);
  });
});

describe('metrics by source', () => {
  it('count calls, errors and latencies, and name no source that not everyone may know', async (context) => {
    const { ask, app } = await open(context, ({ url }) => (url.startsWith('/broken') ? FAILED : TYPES));
    await ask('RESTRICTED');
    const { body } = await app.inject('/metrics');
    for (const line of [
      'enrichment_source_calls_total{source="open",kind="types"} 1',
      'enrichment_source_calls_total{source="restricted",kind="types"} 1',
      'enrichment_source_errors_total{source="broken",error="status"} 1',
      'enrichment_source_latency_seconds_count{source="open"} 1',
      'enrichment_source_circuit{source="open",state="closed"} 1',
      'enrichment_source_active{source="open",state="waiting"} 0',
      'enrichment_source_rate_left{source="open",limit="4/minute"} 4',
    ]) {
      assert.ok(body.includes(`triad_${line}\n`), line);
    }
    assert.doesNotMatch(body, /source="closed"/);
  });
});

async function open(context: TestContext, script: Script) {
  const server = await startScriptedServer(script);
  context.after(() => server[Symbol.asyncDispose]());
  const sources = [
    { name: 'open', concurrency: 3, rate_limits: ['4/minute'] },
    { name: 'broken' },
    { name: 'closed', classification: 'RESTRICTED' },
  ].map((source) => ({ ...source, url: `${server.url}/${source.name}` }));
  const { app } = await openEnrichment(context, { 'enrichment.external_sources': sources });
  const get = async (url: string, classification: string) => {
    const basic = Buffer.from('robot:robot-secret').toString('base64');
    const headers = { authorization: `Basic ${basic}`, 'x-userid': 'ada', 'x-classification': classification };
    const answer = await app.inject({ url, headers });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().api_response as unknown;
  };
  return {
    app,
    ask: (classification: string) => get('/api/v1/lookup/types/', classification),
    statusesFor: async (classification: string) => (await get('/api/v1/sources', classification)) as SourceStatus[],
  };
}
