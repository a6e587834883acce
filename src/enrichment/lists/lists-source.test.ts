import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { anEntry } from '../../testing/enrichment/compiled-list.ts';
import { type Answer, headersFor, indicatorOf, openListsService } from '../../testing/enrichment/lists-service.ts';
import { NEVER_ABORTED } from '../../testing/enrichment/never-aborted.ts';
import { listFolder } from '../../testing/enrichment/open-lists.ts';
import { openEnrichment } from '../../testing/open-enrichment.ts';
import { ListWriter } from './compiled/list-writer.ts';
import { visibleStatuses } from './list-status.ts';
import { ListsSource } from './lists-source.ts';
import { OpenLists } from './open-lists.ts';
import { compiledPath } from './updating/list-folder.ts';

/** A value that is a key of every object. */
const PROTO = '__proto__';

const engine = loadClassification(DEMO_CLASSIFICATION);

describe('the source lists', () => {
  it('says what lists hold of a value, with opinion, confidence, tags and age', async (context) => {
    const lines = [
      { value: 'evil.example', tags: ['apt', 'c2'], confidence: 0.9, author: 'Ada', link: 'https://intel.example/1' },
      { value: '198.51.100.0/24' },
    ];
    const { ask } = await openListsService(context, [
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
    const { ask } = await openListsService(
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
    const { ask, statesFor, app } = await openListsService(context, [
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
      const call = { signal: NEVER_ABORTED, deadline: Date.now() + 60_000 };
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
    const { ask, statesFor } = await openListsService(context, [
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

  it('is not there without lists', async (context) => {
    const { app } = await openEnrichment(context, { 'enrichment.own_sources': 'lists' });
    const answer = await app.inject({ url: '/api/v1/lookup/types/', headers: headersFor('UNRESTRICTED') });
    assert.deepEqual(answer.json().api_response, {});
  });
});

/** Returns lines with one value, which have these markings. */
function markedLines(...markings: readonly string[]): string {
  return markings.map((marking) => JSON.stringify({ value: 'evil.example', marking, summary: marking })).join('\n');
}
