import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCaller,
  aFetcher,
  type OfferingSource,
  openOfferingSources,
} from '../../../testing/enrichment/offering-sources.ts';
import { SourceFailure } from '../../sources/source-failure.ts';
import { FetcherService } from './fetcher-service.ts';

const CLEAR = aCaller('TLP:CLEAR');
const AMBER = aCaller('TLP:AMBER');
const PAGE = { outcome: 'success', data: '# Page', format: 'markdown' };
const BODY = { type: 'domain', value: 'example.org' };
const INVALID = 'Validation error encountered on request body. Ensure your request body is properly formatted.';

describe('FetcherService.list', () => {
  it('has what the caller may see of the sources that answer correctly', async () => {
    const { service } = open({
      open: {
        fetchers: async () => ({ page: aFetcher('page'), amber: aFetcher('amber', { classification: 'TLP:AMBER' }) }),
      },
      closed: { classification: 'TLP:AMBER', fetchers: async () => ({ one: aFetcher('one') }) },
      wrong: { fetchers: async () => ({ good: aFetcher('good'), html: aFetcher('html', { format: 'html' }) }) },
      down: { fetchers: () => Promise.reject(new SourceFailure('timed_out', 'late')) },
    });
    assert.deepEqual(Object.keys(await service.list(CLEAR)), ['open.page']);
    assert.deepEqual(Object.keys(await service.list(AMBER)), ['open.page', 'open.amber', 'closed.one']);
  });

  it('keeps a list for five minutes for each caller, and no failure', async () => {
    const asked: string[] = [];
    let failing = true;
    const { service, clock, directory } = open({
      a: {
        fetchers: async ({ caller }) => {
          asked.push(caller.username);
          if (failing) throw new SourceFailure('unreachable', 'down');
          return { page: aFetcher('page') };
        },
      },
    });
    const bea = aCaller('TLP:CLEAR', { username: 'bea' });
    const vouchedBea = aCaller('TLP:CLEAR', { username: 'bea', credential: { kind: 'vouched' } });
    assert.deepEqual(await service.list(CLEAR), {});
    failing = false;
    for (const caller of [CLEAR, CLEAR, bea, bea, vouchedBea]) {
      assert.deepEqual(Object.keys(await service.list(caller)), ['a.page']);
    }
    assert.deepEqual(asked, ['ana', 'ana', 'bea', 'bea']);
    clock.now += 5 * 60_000;
    await service.list(CLEAR);
    assert.equal(asked.length, 5);
    directory.remove('a');
    assert.deepEqual(await service.list(CLEAR), {});
  });
});

describe('FetcherService.run', () => {
  it('passes the selector on as it is, once', async () => {
    const calls: unknown[] = [];
    const { run } = openRunning(async (id, selector) => {
      calls.push([id, selector]);
      return PAGE;
    });
    const body = { type: 'EML_Address', value: 'A@b.example', classification: 'tlp:green', sources: ['x'], more: 1 };
    assert.deepEqual(await run({ body }), PAGE);
    assert.deepEqual(calls, [['page', body]]);
  });

  it('refuses sources and fetchers that listings hide', async () => {
    let runs = 0;
    const { service } = open({
      closed: { classification: 'TLP:AMBER', fetchers: async () => ({}), runFetcher: async () => (runs += 1) },
      open: {
        fetchers: async () => ({ amber: aFetcher('amber', { classification: 'TLP:AMBER' }) }),
        runFetcher: async () => (runs += 1),
      },
    });
    const run = (source: string, fetcher: string) =>
      service.run({ source, fetcher, body: BODY, timeout: undefined }, CLEAR);
    await assert.rejects(run('closed', 'any'), { code: 'source_missing', message: 'Plugin closed does not exist.' });
    await assert.rejects(run('open', 'amber'), { code: 'offer_missing' });
    assert.equal(runs, 0);
  });

  const selectors: Readonly<Record<string, unknown>> = {
    'an empty object': {},
    'a list': [BODY],
    'a string': 'x',
    nothing: null,
    'no value': { type: 'domain' },
    'an address that is none': { type: 'ip', value: 'nowhere' },
    'telemetry that is no JSON': { type: 'telemetry', value: '{' },
    'a number as a value': { type: 'domain', value: 5 },
    'an unknown classification': { ...BODY, classification: 'NONSENSE' },
  };
  for (const [what, body] of Object.entries(selectors)) {
    it(`refuses ${what}`, async () => {
      const { run } = openRunning(async () => PAGE);
      await assert.rejects(run({ body }), { code: 'invalid_selector', message: INVALID });
    });
  }

  it('refuses values that are too long, and above what the source may learn', async () => {
    const { run } = openRunning(async () => PAGE);
    await assert.rejects(run({ body: { ...BODY, value: 'x'.repeat(4097) } }), { code: 'value_too_long' });
    const above = run({ body: { ...BODY, classification: 'TLP:AMBER' } });
    await assert.rejects(above, { code: 'selector_above_source', kind: 'forbidden' });
  });

  it('refuses values that do not fit a type of an extension', async () => {
    const { directory, engine, log } = openOfferingSources({ plugin: {} });
    const problemOf = (type: string) => `The value is not valid for the type "${type}".`;
    const service = new FetcherService({ sources: directory, engine, languages: [], log, problemOf });
    const run = { source: 'plugin', fetcher: 'page', body: { type: 'acme/ticket', value: 'x' }, timeout: undefined };
    await assert.rejects(service.run(run, CLEAR), { code: 'invalid_selector', message: /"acme\/ticket"/ });
  });

  it('has results of every format, and failures', async () => {
    const results = [
      PAGE,
      { outcome: 'success', format: 'json', data: [{ a: null }] },
      { outcome: 'success', format: 'image', data: { image: 'data:image/png;base64,iVBORw0KGgo=', alt: 'a dot' } },
      { outcome: 'success', format: 'status', data: { empty: true, labels: [] } },
      { outcome: 'success', format: 'my-own', data: 5 },
      { outcome: 'failure', format: 'error', error: 'no such page' },
    ];
    for (const result of results) {
      const { run } = openRunning(async () => result);
      assert.deepEqual(await run({}), result);
    }
  });

  const wrong: Readonly<Record<string, unknown>> = {
    nothing: null,
    'no data': { outcome: 'success', format: 'markdown' },
    'data and an error': { ...PAGE, error: 'y' },
    'a failure in another format': { outcome: 'failure', format: 'markdown', error: 'y' },
    'a silent failure': { outcome: 'failure', format: 'error' },
    'an object as markdown': { ...PAGE, data: {} },
    'an image without alternative text': { ...PAGE, format: 'image', data: { image: 'https://x.example/i.png' } },
    'a status in one language': { ...PAGE, format: 'status', data: { labels: [{ language: 'en', label: 'a' }] } },
    'a graph without nodes': { ...PAGE, format: 'graph', data: { id: 'g' } },
  };
  for (const [what, result] of Object.entries(wrong)) {
    it(`reports ${what} as a bad gateway`, async () => {
      const { run } = openRunning(async () => result);
      await assert.rejects(run({}), { code: 'fetcher_result_invalid', kind: 'upstream_failed' });
    });
  }

  const failed = { code: 'fetcher_failed', kind: 'upstream_failed' };
  const failures: readonly (readonly [string, SourceFailure, object])[] = [
    [
      'a refusal of the source',
      new SourceFailure('status', 'status 400', { status: 400, pluginMessage: 'the value was refused' }),
      { code: 'fetcher_refused', kind: 'invalid_input', message: 'the value was refused' },
    ],
    [
      'the message of the source',
      new SourceFailure('status', 'status 404', { status: 404, pluginMessage: 'nothing there' }),
      { ...failed, message: 'nothing there' },
    ],
    [
      'a source that is down',
      new SourceFailure('unreachable', 'ECONNREFUSED'),
      { ...failed, message: "Something went wrong when running fetcher from plugin 'plugin': ConnectionError." },
    ],
    [
      'an unreadable answer',
      new SourceFailure('unusable', 'not JSON'),
      { ...failed, message: "Something went wrong when running fetcher from plugin 'plugin': JSONDecodeError." },
    ],
    [
      'a caller without a token',
      new SourceFailure('refused', 'no token of ana'),
      { ...failed, message: 'Invalid token provided for this enrichment.' },
    ],
    ['a source that takes too long', new SourceFailure('timed_out', 'late'), { code: 'fetcher_timed_out' }],
  ];
  for (const [what, failure, expected] of failures) {
    it(`reports ${what}`, async () => {
      const { run } = openRunning(() => Promise.reject(failure));
      await assert.rejects(run({}), expected);
    });
  }

  it('gives the source a minute, or the time that the caller names', async () => {
    const { run, deadlines } = openRunning(async () => PAGE);
    for (const timeout of ['2', 'soon', '1000']) await run({ timeout });
    assert.deepEqual(
      deadlines.map((deadline) => Math.round((deadline - Date.now()) / 1000)),
      [2, 60, 300],
    );
  });
});

type Run = Partial<Parameters<FetcherService['run']>[0]>;

/** One source with the fetcher `page`. */
function openRunning(runFetcher: (id: string, selector: unknown) => Promise<unknown>) {
  const deadlines: number[] = [];
  const { service } = open({
    plugin: {
      fetchers: async () => ({ page: aFetcher('page') }),
      runFetcher: async (id, selector, { deadline }) => {
        deadlines.push(deadline);
        return runFetcher(id, selector);
      },
    },
  });
  const usual = { source: 'plugin', fetcher: 'page', body: BODY, timeout: undefined };
  return { deadlines, run: (changes: Run) => service.run({ ...usual, ...changes }, CLEAR) };
}

function open(sources: Readonly<Record<string, OfferingSource>>) {
  const { directory, engine, log } = openOfferingSources(sources);
  const clock = { now: Date.now() };
  const now = () => clock.now;
  return {
    service: new FetcherService({ sources: directory, engine, languages: ['en', 'fr'], log, now }),
    directory,
    clock,
  };
}
