import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { dossierDocument } from '../../documents/kinds/dossier.ts';
import { overviewDocument } from '../../documents/kinds/overview.ts';
import { templateDocument } from '../../documents/kinds/template.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { type AlertServices, anActor, openAlertServices } from '../../testing/alerts/alert-services.ts';
import { bestMatch, HitMetadata, type Metadata } from './hit-metadata.ts';

describe('the template or overview for a hit', () => {
  const hit = { howler: { analytic: 'Phish Lens', detection: 'Lookalike' } };
  const best = (
    ...candidates: Parameters<typeof bestMatch<{ id: number; analytic: string; detection?: string; type?: string }>>[0]
  ) => bestMatch(candidates, (candidate) => candidate, hit)?.id;

  it('is of the same analytic, regardless of its case', () => {
    assert.equal(best({ id: 1, analytic: 'Other' }, { id: 2, analytic: 'PHISH lens' }), 2);
    assert.equal(best({ id: 1, analytic: 'Other' }), undefined);
  });

  it('is of the same detection or of none', () => {
    assert.equal(best({ id: 1, analytic: 'Phish Lens', detection: 'Else' }), undefined);
    assert.equal(best({ id: 1, analytic: 'Phish Lens' }, { id: 2, analytic: 'Phish Lens', detection: 'LOOKALIKE' }), 2);
  });

  it('is personal rather than readonly rather than global, and only then for the detection', () => {
    const analytic = 'Phish Lens';
    assert.equal(
      best({ id: 1, analytic, detection: 'Lookalike', type: 'global' }, { id: 2, analytic, type: 'personal' }),
      2,
    );
    assert.equal(best({ id: 1, analytic, type: 'global' }, { id: 2, analytic, type: 'readonly' }), 2);
    assert.equal(
      best({ id: 1, analytic, type: 'personal' }, { id: 2, analytic, detection: 'Lookalike', type: 'personal' }),
      2,
    );
  });
});

describe('HitMetadata', () => {
  let services: AlertServices;
  let metadata: HitMetadata;
  const ana = anActor();

  before(async () => {
    services = await openAlertServices();
    const { datastore } = services;
    metadata = new HitMetadata({
      templates: datastore.collection(templateDocument),
      overviews: datastore.collection(overviewDocument),
      analytics: datastore.collection(analyticDocument),
      dossiers: datastore.collection(dossierDocument),
      savedQueries: services.savedQueries,
    });
    await save(templateDocument, 't1', { template_id: 't1', analytic: 'Probe', type: 'global', keys: ['host.name'] });
    await save(templateDocument, 't2', {
      template_id: 't2',
      analytic: 'Probe',
      type: 'personal',
      owner: 'ben',
      keys: [],
    });
    await save(overviewDocument, 'o1', { overview_id: 'o1', analytic: 'probe', owner: 'ben', content: '# It' });
    const dossier = (id: string, fields: object) =>
      save(dossierDocument, id, { dossier_id: id, title: id, owner: 'ben', type: 'global', ...fields });
    await dossier('for-host', { query: 'host.name:srv*' });
    await dossier('for-score', { query: 'howler.score:[50 TO *]' });
    await dossier('for-all', {});
    await dossier('broken', { query: 'host.name:[' });
    await dossier('of-ben', { type: 'personal' });
    await dossier('of-ana', { type: 'personal', owner: 'ana' });
  });
  after(() => services.close());

  const save = async <T>(definition: DocumentDefinition<T>, id: string, input: object) => {
    const { document } = readDocument(definition, input, { unknown: 'refuse' });
    await services.datastore.collection(definition).save(id, document, { visible: 'now' });
  };

  it('gives each hit the kinds that were asked for, and nothing of kinds that do not exist', async () => {
    const hit = await services.aHit(ana, { 'howler.detection': 'Deep' });
    const other = await services.aHit(ana, { 'howler.analytic': 'Elsewhere' });
    const [first, second] = await metadata.of(ana, [hit, other], ['template', 'overview', 'analytic', 'bogus']);
    assert.deepEqual(Object.keys(first ?? {}), ['__template', '__overview', '__analytic']);
    assert.deepEqual(first?.__template, {
      template_id: 't1',
      id: ['t1'],
      analytic: 'Probe',
      type: 'global',
      keys: ['host.name'],
    });
    assert.equal(member(first, '__overview', 'content'), '# It');
    assert.equal(member(first, '__analytic', 'name'), 'Probe');
    assert.deepEqual([second?.__template, second?.__overview], [null, null]);
    assert.equal(member(second, '__analytic', 'name'), 'Elsewhere');
  });

  it('does not show the templates of others', async () => {
    const hit = await services.aHit(ana);
    const [own] = await metadata.of(anActor({ username: 'ben' }), [hit], ['template']);
    assert.equal(member(own, '__template', 'template_id'), 't2');
  });

  it('finds the dossiers whose query matches, global or the caller’s own', async () => {
    const hit = await services.aHit(ana, { 'host.name': 'srv1', 'howler.score': 10 });
    const titles = (await metadata.dossiersOf(ana, hit)).map((dossier) => dossier.title);
    assert.deepEqual(titles, ['for-all', 'for-host', 'of-ana']);
  });

  it('skips a stored query over the limits, reports it, and takes it up again once it is mended', async () => {
    const hit = await services.aHit(ana, { 'howler.rationale': 'abcde'.repeat(1600) });
    const dossier = (text: string) =>
      save(dossierDocument, 'limited', {
        dossier_id: 'limited',
        title: 'limited',
        owner: 'eve',
        type: 'global',
        query: text,
      });
    const isFound = async () => (await metadata.dossiersOf(ana, hit)).some(({ title }) => title === 'limited');
    const problemOf = (text: string) => services.savedQueries.problemOf({ id: 'limited', text });
    for (const [text, problem] of [
      ['howler.rationale:/(.{1,200}){1,100}/', /125000 steps/],
      ['a '.repeat(60_000), /100000/],
    ] as const) {
      await dossier(text);
      assert.equal(await isFound(), false);
      assert.match(problemOf(text) ?? '', problem);
      const mended = 'howler.analytic:Probe';
      assert.equal(problemOf(mended), undefined, 'a problem is one of a version of the query');
      await dossier(mended);
      assert.equal(await isFound(), true);
      assert.equal(problemOf(text), undefined);
    }
    assert.match(await services.metrics.text(), /saved_queries_skipped_total\{reason="query_too_complex"\} 2/);
    await services.datastore.collection(dossierDocument).delete('limited', { visible: 'now' });
  });

  it('gives the queries of each owner a budget, the caller first', async () => {
    const hits = [await services.aHit(ana, { 'howler.rationale': 'abcde'.repeat(1600) })];
    const costly = Array.from({ length: 30 }, (_, at) => `howler.rationale:*z${at}*`).join(' OR ');
    const queries = Array.from({ length: 10 }, (_, at) => ({
      id: `budget-${at}`,
      owner: at < 9 ? 'eve' : 'ana',
      text: `${at < 9 ? costly : ''} howler.analytic:Probe`,
    }));
    const found = await services.savedQueries.evaluate(queries, hits, 'ana');
    const matched = found.map(([isMatch]) => isMatch);
    assert.deepEqual([matched[0], matched[8], matched[9]], [true, false, true]);
    assert.match(
      services.savedQueries.problemOf({ id: 'budget-8', text: queries[8]?.text }) ?? '',
      /queries of eve took more than 1000000 steps/,
    );
  });

  it('reads relative dates again for each request', async () => {
    const hits = [{ timestamp: new Date().toISOString() }];
    const query = { id: 'now', owner: 'ana', text: 'timestamp:[now-1s TO now]' };
    for (const isMatch of [true, false]) {
      assert.deepEqual(await services.savedQueries.evaluate([query], hits, 'ana'), [[isMatch]]);
      await new Promise((resolve) => setTimeout(resolve, 1100));
    }
  });

  it('asks nothing for no hits', async () => {
    assert.deepEqual(await metadata.of(ana, [], ['template']), []);
  });
});

function member(metadata: Metadata | undefined, kind: string, name: string): unknown {
  return (metadata?.[kind] as Record<string, unknown> | undefined)?.[name];
}
