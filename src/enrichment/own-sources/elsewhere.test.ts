import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Script, type ScriptedServer, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

interface Fixture {
  readonly program: TestProgram;
  readonly server: ScriptedServer;
}

/** Runs a test with a program whose sources ask a scripted installation. */
async function withElsewhere(script: Script, test: (fixture: Fixture) => Promise<void>): Promise<void> {
  await using server = await startScriptedServer(script);
  const program = await startTestProgram({
    settings: {
      'enrichment.own_sources': 'facts,alerts,analysis',
      'enrichment.alerts': { url: `${server.url}/howler/` },
      'enrichment.analysis': { url: server.url },
    },
  });
  try {
    await test({ program, server });
  } finally {
    await program.close();
  }
}

async function lookUp({ program }: Pick<Fixture, 'program'>, query = '') {
  const json = [{ type: 'ip', value: '198.51.100.7' }];
  const request = { service: 'enrichment', method: 'POST', basic: 'admin:devkey:admin', json } as const;
  const { json: answer, text } = await program.request(`/enrich/?include_raw=true${query}`, request);
  const results = answer?.api_response?.ipv4?.['198.51.100.7'];
  assert.ok(results, text);
  assert.equal(results.facts.error, undefined);
  assert.ok(results.facts.items.length > 0, 'the others are whole');
  return results;
}

const envelope = (api_response: unknown, api_error_message = '') => ({ api_response, api_error_message });
const NOTHING = envelope({ items: [], total: 0, offset: 0, rows: 0 });

describe('a source whose service is another installation', () => {
  it('asks it below its path, with a token and by the routes of the public system', async () => {
    const alert = {
      howler: { id: 'x', analytic: 'A', status: 'open' },
      source: { ip: '198.51.100.7' },
      classification: 'OTHER//X',
    };
    const script: Script = ({ url }) =>
      url.endsWith('/search/hit')
        ? { body: envelope({ items: [{ ...alert, timestamp: '2026-01-02T03:04:05.000000Z' }], total: 1 }) }
        : { body: NOTHING };
    await withElsewhere(script, async (fixture) => {
      const { alerts, analysis } = await lookUp(fixture);
      assert.deepEqual([alerts.error, analysis?.error], [undefined, undefined]);
      const [item] = alerts.items;
      assert.deepEqual([item.count, item.raw_data.newest[0].id], [1, 'x']);
      assert.equal(new URL(item.link).pathname, '/howler/search');
      const paths = new Set(fixture.server.requests.map(({ method, url }) => `${method} ${url}`));
      assert.deepEqual([...paths].sort(), [
        'POST /api/v4/search/badlist/',
        'POST /api/v4/search/result/',
        'POST /api/v4/search/safelist/',
        'POST /howler/api/v1/search/case',
        'POST /howler/api/v1/search/hit',
      ]);
      for (const { headers } of fixture.server.requests) assert.match(headers.authorization ?? '', /^Bearer eyJ/);
    });
  });

  it('says in one sentence that it does not take the token of this installation', async () => {
    await withElsewhere(
      () => ({ status: 401, body: envelope({}, 'no') }),
      async (fixture) => {
        const { alerts, analysis } = await lookUp(fixture);
        assert.match(
          alerts.error,
          /^The alert service at http.* refused the token of this installation\. .*enrichment\.obo_targets\.alerts\.$/,
        );
        assert.match(analysis.error, /^The analysis service at .*enrichment\.obo_targets\.analysis\.$/);
      },
    );
  });

  for (const [name, script] of [
    ['an error of the server', () => ({ status: 500, body: envelope({}, 'boom') })],
    ['a page', () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' })],
    ['a page that there is not', () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<html>' })],
    ['a redirect', () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' })],
    ['half an answer', () => 'truncate'],
    ['a cut connection', () => 'reset'],
    ['no answer', () => 'hang'],
    ['another shape', () => ({ body: envelope([]) })],
    ['items that are none', () => ({ body: envelope({ items: { a: 1 }, total: 'many' }) })],
    ['more than 10 MB', () => ({ body: `"${'x'.repeat(10_500_000)}"` })],
  ] as const satisfies readonly (readonly [string, Script])[]) {
    it(`has one error for ${name}, and the others are whole`, async () => {
      await withElsewhere(script, async (fixture) => {
        const { alerts, analysis } = await lookUp(fixture, '&max_timeout=1.5');
        for (const { error, items } of [alerts, analysis]) {
          assert.deepEqual(items, []);
          assert.match(error, /^[^\n]{5,300}$/);
          assert.doesNotMatch(error, /<html>|boom\n/);
        }
      });
    });
  }

  it('takes odd alerts for what they are', async () => {
    const odd = [
      null,
      5,
      'x',
      [],
      {},
      { howler: null },
      { source: { ip: [null, {}, '198.51.100.7'] }, timestamp: 5, howler: { id: {}, status: [] } },
    ];
    await withElsewhere(
      () => ({ body: envelope({ items: odd, total: odd.length }) }),
      async (fixture) => {
        const { alerts } = await lookUp(fixture);
        assert.deepEqual([alerts.error, alerts.items[0]?.count], [undefined, 1]);
      },
    );
  });

  it('is unreachable', async () => {
    const settings = {
      'enrichment.own_sources': 'facts,alerts,analysis',
      'enrichment.alerts': { url: 'http://127.0.0.1:1' },
    };
    const program = await startTestProgram({ settings });
    try {
      const { alerts, analysis } = await lookUp({ program });
      assert.match(alerts.error, /^Could not connect to alerts\. Error ID: \w+$/);
      assert.equal(analysis?.error, undefined);
    } finally {
      await program.close();
    }
  });
});
