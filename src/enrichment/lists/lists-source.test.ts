import assert from 'node:assert/strict';
import { mkdirSync, unlinkSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { anEntry } from '../../testing/enrichment/compiled-list.ts';
import { listFolder } from '../../testing/enrichment/open-lists.ts';
import { openEnrichment } from '../../testing/open-enrichment.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { until } from '../../testing/until.ts';
import type { ListState } from '../sources/own-source.ts';
import { ListWriter } from './compiled/list-writer.ts';
import { visibleStatuses } from './list-status.ts';
import { ListsSource } from './lists-source.ts';
import { OpenLists } from './open-lists.ts';
import { compiledPath } from './updating/list-folder.ts';
import { updateList } from './updating/update-list.ts';

/** A value that is a key of every object. */
const PROTO = '__proto__';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Answer = any;

const engine = loadClassification(DEMO_CLASSIFICATION);

describe('the source lists', () => {
  it('says what lists hold of a value, with opinion, confidence, tags and age', async (context) => {
    const lines = [
      { value: 'evil.example', tags: ['apt', 'c2'], confidence: 0.9, author: 'Ada', link: 'https://intel.example/1' },
      { value: '198.51.100.0/24' },
    ];
    const { ask } = await open(context, [
      {
        ...{ name: 'bad', format: 'ndjson', opinion: 'malicious', confidence: 0.7 },
        content: lines.map((line) => JSON.stringify(line)).join('\n'),
      },
      { name: 'seen', content: 'evil.example\n' },
    ]);
    const answer = await ask('UNRESTRICTED', [
      ['domain', 'evil.example'],
      ['ip', '198.51.100.7'],
      ['domain', PROTO],
    ]);
    const [bad, seen, ...others] = answer.domain['evil.example'].lists.items;
    assert.deepEqual(others, []);
    const [opinion] = bad.annotations;
    assert.equal(opinion.type, 'opinion');
    assert.equal(opinion.value, 'malicious');
    assert.ok(Math.abs(Date.parse(opinion.timestamp) - Date.now()) < 600_000);
    assert.match(opinion.details, /^The list bad, as of 2\d{3}-.*Z, has the value itself\.$/);
    assert.deepEqual([seen.annotations[0].type, seen.annotations[0].value], ['context', 'seen']);
    const [network] = answer.ipv4['198.51.100.7'].lists.items[0].annotations;
    assert.equal(network.confidence, 0.7);
    assert.match(network.details, /a network that it is in/);
    assert.deepEqual(answer.domain[PROTO]?.lists?.items ?? [], []);
  });

  it('obeys the flags of a lookup', async (context) => {
    const names = ['a', 'b', 'c'];
    const { ask } = await open(
      context,
      names.map((name) => ({ name, content: 'evil.example\n' })),
    );
    const itemsOf = async (query: string) =>
      (await ask('UNRESTRICTED', [['domain', 'evil.example']], query)).domain['evil.example'].lists.items as Answer[];
    assert.equal((await itemsOf('')).length, 3);
    assert.equal((await itemsOf('limit=2')).length, 2);
    assert.deepEqual(
      (await itemsOf('no_annotation=true')).map(({ annotations }) => annotations),
      [[], [], []],
    );
    assert.equal((await itemsOf('include_raw=true'))[1].raw_data.list, 'b');
  });

  it('says nothing of lists and entries above the caller, also not in its state and in metrics', async (context) => {
    const { ask, statesFor, app } = await open(context, [
      { name: 'open', format: 'ndjson', content: markedLines('RESTRICTED', 'TLP:UNKNOWN', 'UNRESTRICTED') },
      { name: 'closed', classification: 'restricted', content: 'evil.example\n' },
    ]);
    const classificationsFor = async (clearance: string) =>
      ((await ask(clearance, [['domain', 'evil.example']])).domain['evil.example'].lists?.items ?? []).map(
        ({ classification }: Answer) => classification,
      );
    assert.deepEqual(
      (await classificationsFor('UNRESTRICTED')).filter((one: string) => one !== 'UNRESTRICTED'),
      [],
    );
    assert.ok((await classificationsFor('RESTRICTED')).length > (await classificationsFor('UNRESTRICTED')).length);
    assert.deepEqual(
      (await statesFor('UNRESTRICTED')).map(({ name }) => name),
      ['open'],
    );
    const states = await statesFor('RESTRICTED');
    assert.deepEqual(
      states.map(({ name, state }) => [name, state]),
      [
        ['open', 'ready'],
        ['closed', 'ready'],
      ],
    );
    const { body } = await app.inject('/metrics');
    assert.match(body, /^triad_enrichment_list_entries\{list="restricted"\} 1$/m);
    assert.match(body, /^triad_enrichment_list_update_failures_total\{list="open"\} 0$/m);
    assert.match(body, /^triad_enrichment_list_age_seconds\{list="open"\} /m);
    assert.doesNotMatch(body, /list="closed"/);
  });

  it('gives an entry the higher one of its marking and the classification of its list', async (context) => {
    const { unrestricted } = engine;
    const restricted = engine.normalise('RESTRICTED');
    const { configured } = listFolder(context);
    const lists = configured([
      { name: 'open', path: 'unused' },
      { name: 'closed', path: 'unused' },
    ]).map((list, index) => ({ ...list, classification: index === 0 ? unrestricted : restricted }));
    for (const list of lists) {
      mkdirSync(list.folder, { recursive: true });
      const writer = new ListWriter(compiledPath(list.folder));
      for (const marking of ['UNRESTRICTED', 'restricted', 'TLP:UNKNOWN', undefined]) {
        writer.add(anEntry({ value: 'evil.example', marking, details: { summary: `marked ${marking}` } }));
      }
      writer.finish({ settings: list.fingerprint, version: {}, source: undefined });
    }
    const open = new OpenLists(lists, { warn: () => undefined });
    context.after(() => open.close());
    const source = new ListsSource(open, engine);
    const classificationsFor = async (classification: string) => {
      const call = { signal: new AbortController().signal, deadline: Date.now() + 60_000 };
      const flags = { limit: 100, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };
      const selector = { type: 'domain', value: 'evil.example', classification: unrestricted };
      const answer = (await source.lookup([selector], flags, {
        ...call,
        caller: { username: 'ada', classification },
      })) as Answer;
      return answer.domain['evil.example'].items.map((item: Answer) => item.classification);
    };
    const open4 = [unrestricted, restricted, unrestricted, unrestricted];
    assert.deepEqual(await classificationsFor(restricted), [...open4, restricted, restricted, restricted, restricted]);
    assert.deepEqual(await classificationsFor(unrestricted), [unrestricted, unrestricted, unrestricted]);
    assert.deepEqual(
      visibleStatuses(open, engine, restricted).map((state) => state.unknown_markings),
      [1, 1],
    );
    assert.equal(visibleStatuses(open, engine, unrestricted).length, 1);
  });

  it('does not say entries that are not valid, nor a list that was not updated for too long', async (context) => {
    const valid = (from: number, until: number) => ({
      valid_from: new Date(Date.now() + from).toISOString(),
      valid_until: new Date(Date.now() + until).toISOString(),
    });
    const HOUR = 3_600_000;
    const indicators = [
      ['old.example', valid(-2 * HOUR, -HOUR)],
      ['now.example', valid(-HOUR, HOUR)],
      ['later.example', valid(HOUR, 2 * HOUR)],
    ] as const;
    const { ask, statesFor } = await open(context, [
      {
        name: 'valid',
        format: 'stix',
        content: JSON.stringify({ type: 'bundle', objects: indicators.map(indicatorOf) }),
      },
      { name: 'expired', expires: '1ms', content: 'now.example\n' },
    ]);
    const answer = await ask(
      'UNRESTRICTED',
      indicators.map(([name]) => ['domain', name] as const),
    );
    const counts = indicators.map(([name]) => answer.domain[name].lists?.items.length ?? 0);
    assert.deepEqual(counts, [0, 1, 0]);
    assert.deepEqual(
      (await statesFor('UNRESTRICTED')).map(({ state }) => state),
      ['ready', 'expired'],
    );
  });

  it('compiles local files by itself, notices changes, and keeps the old list where they are broken', async (context) => {
    const files = listFolder(context);
    const path = files.write('a.json', bundleOf('one.example'));
    const { ask, statesFor, lines } = await open(context, [{ name: 'a', format: 'stix', path }], { folder: files });
    const knows = async (name: string) => {
      const answer = await ask('UNRESTRICTED', [['domain', name]]);
      return (answer.domain[name].lists?.items.length ?? 0) > 0;
    };
    await until('the list is compiled', () => knows('one.example'));
    files.write('a.json', bundleOf('two.example'));
    await until('the change is noticed', () => knows('two.example'));
    assert.equal(await knows('one.example'), false);
    files.write('a.json', bundleOf('three.example').slice(0, -9));
    await until('the failure is noticed', async () => (await statesFor('UNRESTRICTED'))[0]?.problem !== undefined);
    assert.equal(await knows('two.example'), true);
    const [state] = await statesFor('UNRESTRICTED');
    assert.equal(state?.failures, 1);
    await until('the failure is logged', () =>
      lines.some(({ level, message }) => level === 'warn' && /the old one stays/.test(message)),
    );
    unlinkSync(path);
    await until('the missing file is noticed', async () => ((await statesFor('UNRESTRICTED'))[0]?.failures ?? 0) > 1);
    assert.equal(await knows('two.example'), true);
  });

  it('opens what another process compiled', async (context) => {
    const files = listFolder(context);
    const path = files.write('a.txt', 'one.example\n');
    const settings = [{ name: 'a', path }];
    const services = await Promise.all([1, 2].map(() => open(context, settings, { folder: files })));
    const know = async (name: string) => {
      const answers = await Promise.all(services.map(({ ask }) => ask('UNRESTRICTED', [['domain', name]])));
      return answers.every((answer) => (answer.domain[name].lists?.items.length ?? 0) > 0);
    };
    await until('both have the list', () => know('one.example'));
    files.write('a.txt', 'two.example\n');
    await until('both have the new one', () => know('two.example'));
    const updates = services.flatMap(({ lines }) => lines.filter(({ message }) => /was updated$/.test(message)));
    assert.ok(updates.length >= 2, 'each state was compiled');
  });

  it('updates lists at addresses by their interval', async (context) => {
    let content = 'one.example\n';
    await using server = await startScriptedServer(() => ({ body: content }));
    const list = { name: 'a', url: `${server.url}/list`, interval: '100ms' };
    const { ask } = await open(context, [list, { name: 'never', url: `${server.url}/never` }]);
    const knows = async (name: string) =>
      ((await ask('UNRESTRICTED', [['domain', name]])).domain[name].lists?.items.length ?? 0) > 0;
    await until('the list is fetched', () => knows('one.example'));
    content = 'two.example\n';
    await until('the list is fetched again', () => knows('two.example'));
    assert.ok(server.requests.every(({ url }) => url === '/list'));
  });

  it('is not there without lists', async (context) => {
    const { app } = await openEnrichment(context, { 'enrichment.own_sources': 'lists' });
    const answer = await app.inject({ url: '/api/v1/lookup/types/', headers: headersFor('UNRESTRICTED') });
    assert.deepEqual(answer.json().api_response, {});
  });

  it('refuses settings with their place', async (context) => {
    const refused: readonly [Readonly<Record<string, unknown>>, RegExp][] = [
      [{ name: 'a' }, /enrichment\.lists\[0\]\.path: a list needs a path or a url/],
      [{ name: 'a', path: 'x', url: 'http://x' }, /enrichment\.lists\[0\]\.path: .* not both/],
      [{ name: 'a', path: 'x', format: 'taxii' }, /enrichment\.lists\[0\]\.url: the format taxii needs a url/],
      [{ name: 'a', path: 'x', classification: 'nonsense' }, /enrichment\.lists\[0\]\.classification: nonsense/],
      [{ name: '../a', path: 'x' }, /enrichment\.lists\[0\]\.name/],
      [{ name: 'a', path: 'x', interval: 'often' }, /enrichment\.lists\[0\]\.interval/],
    ];
    for (const [list, message] of refused) {
      const flags = { 'enrichment.own_sources': 'lists', 'enrichment.lists': [list] };
      await assert.rejects(openEnrichment(context, flags), message);
    }
    const twice = [
      { name: 'a', path: 'x' },
      { name: 'A', path: 'y' },
    ];
    const flags = { 'enrichment.own_sources': 'lists', 'enrichment.lists': twice };
    await assert.rejects(openEnrichment(context, flags), /enrichment\.lists\[1\]\.name: there are two lists "A"/);
  });
});

interface GivenList {
  readonly name: string;
  /** Written into a file and compiled before the service opens. */
  readonly content?: string;
  readonly [setting: string]: unknown;
}

async function open(
  context: TestContext,
  given: readonly GivenList[],
  { folder = listFolder(context) }: { readonly folder?: ReturnType<typeof listFolder> } = {},
) {
  const lists = given.map(({ content, ...list }) =>
    content === undefined ? list : { ...list, path: folder.write(list.name, content) },
  );
  for (const list of folder.configured(lists.filter((_, index) => given[index]?.content !== undefined))) {
    const outcome = await updateList(list, { signal: new AbortController().signal });
    assert.equal(outcome.kind, 'updated', JSON.stringify(outcome));
  }
  const service = await openEnrichment(context, {
    ...{ data_folder: folder.pathOf('data'), 'enrichment.own_sources': 'lists', 'enrichment.lists': lists },
  });
  const { app } = service;
  return {
    ...service,
    async ask(clearance: string, selectors: readonly (readonly [string, string])[], query = ''): Promise<Answer> {
      const answer = await app.inject({
        method: 'POST',
        url: `/api/v1/lookup/enrich?${query}`,
        headers: headersFor(clearance),
        payload: selectors.map(([type, value]) => ({ type, value })),
      });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json().api_response;
    },
    async statesFor(clearance: string): Promise<readonly ListState[]> {
      const answer = await app.inject({ url: '/api/v1/sources', headers: headersFor(clearance) });
      return answer.json().api_response[0].lists;
    },
  };
}

function headersFor(clearance: string): Record<string, string> {
  const basic = Buffer.from('robot:robot-secret').toString('base64');
  return { authorization: `Basic ${basic}`, 'x-userid': 'ada', 'x-classification': clearance };
}

/** Returns lines with one value, which have these markings. */
function markedLines(...markings: readonly string[]): string {
  return markings.map((marking) => JSON.stringify({ value: 'evil.example', marking, summary: marking })).join('\n');
}

function bundleOf(domain: string): string {
  return JSON.stringify({ type: 'bundle', objects: [indicatorOf([domain, { valid_from: '2026-01-01T00:00:00Z' }])] });
}

function indicatorOf([domain, validity]: readonly [string, object]): object {
  return {
    ...{ type: 'indicator', spec_version: '2.1', id: 'indicator--1c1e0d5c-0b0e-4a3c-9b0f-4f3d2f1e0a02' },
    ...{ created: '2026-01-01T00:00:00.000Z', modified: '2026-01-01T00:00:00.000Z' },
    ...{ pattern: `[domain-name:value = '${domain}']`, pattern_type: 'stix' },
    ...validity,
  };
}
