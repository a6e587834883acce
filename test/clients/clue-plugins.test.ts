import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { alertDocument } from '../../src/documents/kinds/analysis/alert.ts';
import { resultDocument } from '../../src/documents/kinds/analysis/result.ts';
import { anAnalysisAlert } from '../../src/testing/alerts/analysis-alert.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../src/testing/analysis/analysis-program.ts';
import { aHeuristic, aResult, aSection, aSha256, resultKey } from '../../src/testing/analysis/result-builders.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../src/testing/identity/identity-provider.ts';
import { startScriptedServer } from '../../src/testing/servers/scripted-server.ts';
import { cluePython } from './clue/clue-checkout.ts';
import { differenceAt } from './clue/compare-answers.ts';
import { EVERY_SLOT_REQUESTS, EXAMPLE_REQUESTS } from './clue/equal-requests.ts';
import { type PythonPlugin, startPythonPlugin } from './clue/python-plugin.ts';
import { startScaffoldedPlugin } from './clue/scaffolded-plugin.ts';
import {
  BAD_FILE,
  certificateSearch,
  FAILING_FILE,
  malwareBazaar,
  UNKNOWN_FILE,
  virusTotal,
} from './clue/scripted-vendors.ts';

type Pair = readonly [type: string, value: string];

const HIGH = 'TLP:AMBER';

describe('the plugins of the public enrichment system, as sources', async () => {
  const found = await cluePython();
  if ('reason' in found) {
    it('not run', { skip: found.reason });
    return;
  }
  const plugins = new Map<string, PythonPlugin>();
  const stack = new AsyncDisposableStack();
  let provider: TestIdentityProvider;
  let program: AnalysisTestProgram;
  let page: string;

  /** Starts the plugin of a folder of the checkout. */
  const start = async (folder: string, environment: Readonly<Record<string, string>> = {}) => {
    const { python, checkout } = found;
    const plugin = await startPythonPlugin({
      python,
      checkout,
      folder: join(checkout, 'plugins', folder),
      environment,
    });
    stack.defer(() => plugin.stop());
    plugins.set(folder, plugin);
    return { name: folder, url: plugin.url };
  };
  const vendor = async (script: Parameters<typeof startScriptedServer>[0]) =>
    stack.use(await startScriptedServer(script)).url;

  before(async () => {
    provider = stack.use(await startIdentityProvider());
    page = await vendor(() => ({ body: '<html>page</html>', headers: { 'content-type': 'text/html' } }));
    const external = await Promise.all([
      start('example'),
      start('port_lookup'),
      start('virustotal', { VT_API_KEY: 'vt-key', API_URL: await vendor(virusTotal) }),
      start('malware_bazaar', { API_URL: await vendor(malwareBazaar) }),
      start('crtsh', { API_URL: await vendor(certificateSearch) }),
    ]);
    program = await startAnalysisTestProgram({
      settings: {
        'auth.oauth.enabled': true,
        'auth.oauth.providers': { local: provider.settings({ allow_external_tokens: true }) },
        'enrichment.external_sources': external,
        'enrichment.own_sources': '',
        'enrichment.api_keys': { robot: 'robot-secret' },
        'analysis.analyzers.enabled': 'none',
        'analysis.outbound.allowed_networks': '127.0.0.1/32',
      },
    });
    stack.defer(() => program.close());
    await program.saveUser('admin', { type: ['admin'], classification: HIGH });
    await program.saveUser('low', { classification: 'TLP:CLEAR' });
    await program.foundation.users.update('admin', [{ op: 'set', path: 'can_impersonate', value: true }]);
    const others = await Promise.all([
      start('howler', { HOWLER_URL: program.urls.alerts, HOWLER_AUDIENCE: 'service:alerts' }),
      start('assemblyline', {
        ...{ AL_URL_BASE: program.urls.analysis, AL_TOKEN_PROVIDER: 'local' },
        ...{ AL_USER: 'admin', AL_API_KEY: 'key:secret' },
      }),
    ]);
    const targets = { howler: 'alerts', assemblyline: 'analysis' };
    for (const { name, url } of others) {
      const source = { name, url, obo_target: targets[name as keyof typeof targets], max_classification: HIGH };
      const answer = await call('/api/v1/registration/register/', { json: source });
      assert.equal(answer.status, 200, answer.text);
    }
  });
  after(() => stack[Symbol.asyncDispose]());

  const call = (
    path: string,
    { user = 'admin', json, bearer }: { user?: string; json?: unknown; bearer?: string } = {},
  ) =>
    program.request(path, {
      service: 'enrichment',
      ...(json === undefined ? {} : { method: 'POST', json }),
      ...(bearer === undefined ? { basic: `${user}:key:secret` } : { bearer }),
    });
  /** Looks pairs up at one source; returns its result for each, in this order. */
  const lookUp = async (
    source: string,
    pairs: readonly Pair[],
    as: { user?: string; bearer?: string; query?: string } = {},
  ) => {
    const json = pairs.map(([type, value]) => ({ type, value }));
    const path = `/api/v1/lookup/enrich?sources=${source}&max_timeout=10${as.query ?? ''}`;
    const answer = await call(path, { json, ...as });
    assert.equal(answer.status, 200, answer.text);
    return pairs.map(([type, value]) => answer.json.api_response[type][value][source]);
  };
  // biome-ignore lint/suspicious/noExplicitAny: results as they came
  const opinions = (result: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: results as they came
    result.items.flatMap(({ annotations }: any) => annotations.map(({ type, value }: any) => `${type} ${value}`));

  it('offer their types, actions and fetchers', async () => {
    const { json: types } = await call('/api/v1/lookup/types/');
    assert.deepEqual(Object.keys(types.api_response).toSorted(), [...plugins.keys()].toSorted());
    assert.deepEqual(types.api_response.port_lookup, ['port', 'url']);
    assert.ok(Object.values<string[]>(types.api_response).every((list) => list.length > 0));
    const { json: actions } = await call('/api/v1/actions/');
    assert.deepEqual(Object.keys(actions.api_response), ['assemblyline.submit_url', 'howler.search']);
    assert.deepEqual((await call('/api/v1/fetchers/')).json.api_response, {});
  });

  it('example: answers every type, in bulk and alone', async () => {
    const pairs: Pair[] = [
      ['ipv4', '192.0.2.7'],
      ['ipv6', '2001:db8::7'],
      ['domain', 'example.org'],
      ['url', 'https://example.org/a?b=c d'],
      ['email_address', 'Ann.Example@example.org'],
    ];
    const results = await lookUp('example', pairs);
    for (const [index, [type, value]] of pairs.entries()) {
      assert.deepEqual(opinions(results[index]), [`context ${value}`]);
      const alone = await call(
        `/api/v1/lookup/enrich/${type}/${encodeURIComponent(encodeURIComponent(value))}/?sources=example`,
      );
      assert.equal(alone.json.api_response.example.items.length, 1, alone.text);
    }
  });

  it('port lookup: knows ports, also those of addresses', async () => {
    const [secure, url, unassigned] = await lookUp('port_lookup', [
      ['port', '443'],
      ['url', 'https://example.org:22/'],
      ['port', '4'],
    ]);
    assert.match(JSON.stringify(secure.items), /http protocol over TLS/i);
    assert.match(JSON.stringify(url.items), /ssh/i);
    assert.deepEqual(opinions(unassigned), []);
  });

  it('VirusTotal: found bad, found clean, unknown, failing', async () => {
    const [bad, clean, unknown, failing] = await lookUp(
      'virustotal',
      [
        ['sha256', BAD_FILE],
        ['ipv4', '192.0.2.7'],
        ['sha256', UNKNOWN_FILE],
        ['sha256', FAILING_FILE],
      ],
      { query: '&include_raw=true' },
    );
    assert.deepEqual(opinions(bad), ['opinion malicious']);
    assert.equal(bad.items[0].raw_data.id, BAD_FILE);
    assert.deepEqual(opinions(clean), ['context Example Networks', 'opinion benign']);
    assert.deepEqual([unknown.items, unknown.error], [[], undefined]);
    assert.match(failing.error, /\[500\]/);
  });

  it('MalwareBazaar: found bad, unknown, failing', async () => {
    const hashes = [BAD_FILE, UNKNOWN_FILE, FAILING_FILE].map((hash): Pair => ['sha256', hash]);
    const [bad, unknown, failing] = await lookUp('malware_bazaar', hashes);
    assert.deepEqual(opinions(bad).toSorted(), ['context Emotet', 'opinion malicious', 'opinion suspicious']);
    assert.deepEqual([unknown.items, unknown.error], [[], undefined]);
    assert.match(failing.error, /illegal_hash/);
  });

  it('crt.sh: certificates of a domain, none, failing', async () => {
    const domains = ['www.example.org', 'other.example.org', 'down.example.org'].map(
      (value): Pair => ['domain', value],
    );
    const [known, unknown, failing] = await lookUp('crtsh', domains);
    assert.deepEqual(opinions(known), ['context 0abc']);
    assert.deepEqual([unknown.items[0].count, unknown.error], [0, undefined]);
    assert.match(failing.error, /Bad status from crt\.sh/);
  });

  it('Howler: counts the alerts that the caller may see, and opens their search', async () => {
    const outline = { threat: '192.0.2.66', target: 'host.example.org', indicators: [], summary: 'x' };
    for (const classification of ['TLP:CLEAR', HIGH]) {
      const hit = { classification, howler: { analytic: 'Beacons', outline } };
      const made = await program.request('/api/v1/hit?refresh=wait_for', {
        ...{ method: 'POST', basic: 'admin:key:secret' },
        json: [hit],
      });
      assert.equal(made.status, 201, made.text);
    }
    const asked: Pair[] = [
      ['ipv4', '192.0.2.66'],
      ['domain', 'unseen.example.org'],
    ];
    for (const [user, count] of [
      ['admin', 2],
      ['low', 1],
    ] as const) {
      // The cache of the Python SDK does not tell users apart.
      const [seen, unseen] = await lookUp('howler', asked, { user, query: '&no_cache=true' });
      assert.deepEqual([seen.error, seen.items[0].count, unseen.items[0].count], [undefined, count, 0]);
      assert.deepEqual(opinions(seen), ['context Value seen in howler hit created by Beacons', 'opinion suspicious']);
    }
    const selectors = [
      { type: 'ipv4', value: '192.0.2.66' },
      { type: 'domain', value: 'host.example.org' },
    ];
    const ran = await call('/api/v1/actions/execute/howler/search', { json: { selectors } });
    const { outcome, format, output } = ran.json.api_response;
    assert.deepEqual([outcome, format, new URL(output).origin], ['success', 'pivot', program.urls.alerts]);
  });

  it('Assemblyline: finds results, alerts and listed values for a user of the identity provider', async () => {
    const [static_, listed, alerted] = ['192.0.2.99', 'listed.example.org', '192.0.2.98'];
    const detail = { type: 'Mini', value: alerted, verdict: 'malicious' };
    const al = {
      score: 500,
      ip: [alerted],
      detailed: { ip: [detail] },
      request_end_time: '2026-01-02T03:04:05.000000Z',
    };
    await program.store(alertDocument, 'alert', anAnalysisAlert(program.foundation.classification, 'alert', { al }));
    const tags = { network: { static: { ip: [static_] } } };
    for (const [index, classification] of ['TLP:CLEAR', HIGH].entries()) {
      const sections = [aSection({ classification, tags, heuristic: aHeuristic('MINI.1', 1000) })];
      const result = aResult({ sha256: aSha256(index + 1), classification, sections, score: 1000 });
      await program.store(resultDocument, resultKey(result), result);
    }
    const badlisted = await program.as('admin', '/api/v4/badlist/', {
      method: 'PUT',
      json: {
        ...{ type: 'tag', tag: { type: 'network.static.domain', value: listed }, classification: 'TLP:CLEAR' },
        sources: [{ name: 'Feed', type: 'external', reason: ['seen'], classification: 'TLP:CLEAR' }],
      },
    });
    assert.equal(badlisted.status, 200, badlisted.text);
    const bearer = await provider.accessToken('hopper', 'enrichment');
    const [ip, domain, alert, nothing] = await lookUp(
      'assemblyline',
      [
        ['ipv4', static_],
        ['domain', listed],
        ['ipv4', alerted],
        ['domain', 'unseen.example.org'],
      ],
      { bearer },
    );
    assert.deepEqual([ip.error, opinions(ip)], [undefined, ['opinion malicious']]);
    assert.equal(ip.items[0].count, 1, 'the result above the clearance of the user is not counted');
    for (const [user, count] of [
      ['admin', 2],
      ['low', 1],
    ] as const) {
      const [seen] = await lookUp('assemblyline', [['ipv4', static_]], { user });
      assert.deepEqual([seen.error, seen.items[0]?.count], [undefined, count], 'callers without a provider');
    }
    assert.deepEqual([domain.error, opinions(domain)], [undefined, ['opinion malicious']]);
    assert.deepEqual([alert.error, opinions(alert)], [undefined, ['opinion malicious']]);
    assert.deepEqual([nothing.items, nothing.error], [[], undefined]);
  });

  it('Assemblyline: submits an address, with the key of the plugin', async () => {
    // A source without a target gets no token, and the plugin then calls as the user of its key.
    const source = { name: 'assemblyline_key', url: plugins.get('assemblyline')?.url };
    assert.equal((await call('/api/v1/registration/register/', { json: source })).status, 200);
    const json = { selector: { type: 'url', value: `${page}/a` }, selectors: [], internet_connected: false };
    const ran = await call('/api/v1/actions/execute/assemblyline_key/submit_url', { user: 'low', json });
    const { outcome, link } = ran.json.api_response;
    assert.equal(outcome, 'success', ran.text);
    const sid = String(link).split('/').at(-1);
    const submission = await program.as('admin', `/api/v4/submission/${sid}/`);
    assert.equal(submission.json.api_response.params.submitter, 'admin', submission.text);
  });
});

describe('plugins of both SDKs', async () => {
  const found = await cluePython();
  if ('reason' in found) {
    it('not run', { skip: found.reason });
    return;
  }
  const { python, checkout } = found;
  const twins = join(import.meta.dirname, 'clue', 'twins');
  const pairs = [
    ['example', join(checkout, 'plugins', 'example'), 'example.js', EXAMPLE_REQUESTS],
    ['every-slot', twins, 'every-slot.js', EVERY_SLOT_REQUESTS],
  ] as const;

  it('give equal answers to one list of requests', async (test) => {
    const folder = await mkdtemp(join(tmpdir(), 'triad-twins-'));
    test.after(() => rm(folder, { recursive: true, force: true }));
    const differences: (string | undefined)[] = [];
    for (const [name, pythonFolder, file, requests] of pairs) {
      const theirs = await startPythonPlugin({ python, checkout, folder: pythonFolder });
      test.after(() => theirs.stop());
      await using ours = await startScaffoldedPlugin(folder, name, join(twins, file));
      for (const request of requests) differences.push(await differenceAt(request, theirs.url, ours.url));
    }
    const found = differences.filter((one) => one !== undefined);
    assert.ok(found.length === 0, found.join('\n'));
    assert.ok(differences.length >= 60);
  });
});
