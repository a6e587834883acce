import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anActor, anAdministrator } from '../../testing/alerts/alert-services.ts';
import { type CaseServices, EVERYTHING, openCaseServices } from '../../testing/alerts/case-services.ts';
import type { IngestIndex } from './ingest-service.ts';

const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });
const root = anAdministrator();

let services: CaseServices;
before(async () => {
  services = await openCaseServices();
});
after(() => services.close());

const create = async (
  index: IngestIndex,
  inputs: readonly unknown[],
  actor = ana,
  unknown: 'refuse' | 'warn' = 'refuse',
) => services.ingest.create(actor, index, inputs, { unknown, visible: 'now' });
const one = async (index: IngestIndex, input: Record<string, unknown> = {}) => {
  const { ids } = await create(index, [index === 'hit' ? { 'howler.analytic': 'Probe', ...input } : input]);
  return ids[0] ?? '';
};
const collectionOf = (index: IngestIndex) => (index === 'hit' ? services.hitCollection : services.eventCollection);
const stored = (index: IngestIndex, id: string) => collectionOf(index).get(id, EVERYTHING);
const count = (index: IngestIndex) => collectionOf(index).count({ query: { kind: 'all' } }, EVERYTHING);
const overwrite = (
  index: IngestIndex,
  id: string,
  partial: Record<string, unknown>,
  replaceLists = false,
  actor = ana,
) => services.ingest.kind(index).overwrite(actor, id, () => partial, { replaceLists, visible: 'now' });
const update = (
  indexes: readonly IngestIndex[],
  query: string,
  [operation, key, value]: readonly ['SET' | 'INC' | 'APPEND', string, unknown],
  actor = ana,
) => services.ingest.updateWhere(actor, indexes, query, [{ operation, key, value }], 'now');

describe('taking in records', () => {
  it('stores them in order, each with its log, and makes no analytic of them', async () => {
    const { ids, warnings } = await create('hit', [
      { 'howler.analytic': 'Ingested Only', message: 'a' },
      { 'howler.analytic': 'Ingested Only', message: 'b' },
    ]);
    assert.deepEqual(warnings, []);
    const hits = await services.hitCollection.getMany(ids, EVERYTHING);
    assert.deepEqual(
      hits.map((hit) => hit?.message),
      ['a', 'b'],
    );
    assert.deepEqual(
      hits[0]?.howler.log.map(({ user, explanation }) => [user, explanation]),
      [['ana', 'Created hit']],
    );
    const named = { query: { kind: 'term', field: 'name', value: 'ingested only' } } as const;
    assert.equal(await services.analyticCollection.count(named, EVERYTHING), 0);
    const event = await stored('event', await one('event', { message: 'e' }));
    assert.equal(event?.howler.log[0]?.explanation, 'Created event');
  });

  it('hides them by their classification', async () => {
    for (const index of ['hit', 'event'] as const) {
      const id = await one(index, { classification: 'RESTRICTED' });
      assert.equal(await collectionOf(index).get(id, low.searchAccess), undefined);
      assert.ok(await collectionOf(index).get(id, ana.searchAccess));
    }
  });

  it('stores all of them or none, and names the first that is wrong', async () => {
    for (const index of ['hit', 'event'] as const) {
      const before = await count(index);
      const good = index === 'hit' ? { 'howler.analytic': 'Probe' } : { message: 'm' };
      await assert.rejects(create(index, [good, { ...good, nope: 1 }, null]), (error: Error & { at?: unknown }) => {
        assert.match(error.message, /^Ingestion failure on record at index 1: \[(hit|event)\]: object was created/);
        assert.equal(error.at, 1);
        return true;
      });
      await assert.rejects(create(index, [good, good, 5, 5]), { message: /at index 2: / });
      await assert.rejects(create(index, [{ ...good, classification: 'RESTRICTED' }], low), {
        code: 'record_refused',
        message: 'Ingestion failure on record at index 0: User low cannot create hits at classification RESTRICTED',
      });
      assert.equal(await count(index), before);
    }
  });

  it('warns of what it leaves out', async () => {
    const { warnings } = await create('event', [{ nope: 1 }, { also: 2 }], ana, 'warn');
    assert.deepEqual(warnings, ['nope is not currently used by howler.', 'also is not currently used by howler.']);
  });

  it('takes none', async () => {
    assert.deepEqual(await create('hit', []), { ids: [], warnings: [] });
    assert.deepEqual(await create('event', []), { ids: [], warnings: [] });
  });

  it('is counted', async () => {
    await one('hit', { 'howler.analytic': 'Counted' });
    await one('event');
    const text = await services.metrics.text();
    assert.match(text, /created_hits_total [1-9]/);
    assert.match(text, /created_events_total\S* [1-9]/);
  });

  it('can be tried without storing anything, by anyone', async () => {
    const before = await count('event');
    const inputs = [{ message: 'm', classification: 'RESTRICTED' }, { nope: 1 }, 'x'];
    const { invalid: refused } = await services.ingest.kind('event').read(undefined, inputs);
    assert.deepEqual(
      refused.map(({ input }) => input),
      [{ nope: 1 }, 'x'],
    );
    assert.equal(await count('event'), before);
  });
});

describe('overwriting a record', () => {
  it('appends to lists or replaces them, and keeps the identifier', async () => {
    for (const index of ['hit', 'event'] as const) {
      const id = await one(index, { tags: ['a'] });
      const partial = { tags: ['b'], 'howler.id': 'other', nope: 1, message: 'new' };
      const { document, version } = await overwrite(index, id, partial);
      assert.deepEqual((document as { tags: string[] }).tags, ['a', 'b']);
      assert.ok(!('nope' in document) && !('__access_lvl__' in document));
      const replaced = await overwrite(index, id, { tags: ['c'] }, true);
      assert.notEqual(replaced.version, version);
      assert.deepEqual((await stored(index, id))?.tags, ['c']);
      assert.equal((await stored(index, id))?.howler.id, id);
    }
  });

  it('knows only what the caller may see, and lets them set no more', async () => {
    for (const index of ['hit', 'event'] as const) {
      const hidden = await one(index, { classification: 'RESTRICTED' });
      const id = await one(index);
      await assert.rejects(overwrite(index, hidden, { message: 'x' }, false, low), { code: 'record_missing' });
      await assert.rejects(overwrite(index, 'none', { message: 'x' }), {
        code: 'record_missing',
        message: 'Record none does not exist',
      });
      await assert.rejects(overwrite(index, id, { classification: 'RESTRICTED' }, false, low), {
        code: 'classification_too_high',
      });
      await assert.rejects(overwrite(index, id, { 'event.severity': 'bad' }), { code: 'invalid_document' });
      await overwrite(index, id, { classification: 'RESTRICTED' });
      assert.equal(await collectionOf(index).get(id, low.searchAccess), undefined);
    }
  });
});

describe('updating records by query', () => {
  it('changes what matches and what the caller may find, and logs it', async () => {
    const message = `u${Date.now()}`;
    for (const index of ['hit', 'event'] as const) {
      const seen = await one(index, { message });
      const hidden = await one(index, { message, classification: 'RESTRICTED' });
      assert.equal(await update([index], `message:${message}`, ['INC', 'howler.score', 2], low), true);
      assert.equal((await stored(index, seen))?.howler.score, 2);
      assert.equal((await stored(index, hidden))?.howler.score, 0);
      const entry = (await stored(index, seen))?.howler.log.at(-1);
      assert.equal(entry?.explanation, 'Hit updated by low\n\n- `INC` - `howler.score` - `2`');
    }
  });

  it('says whether every collection had one', async () => {
    const message = `v${Date.now()}`;
    const query = `message:${message}`;
    await one('hit', { message });
    assert.equal(await update(['hit', 'event'], query, ['SET', 'message', message]), false);
    assert.equal(await update(['event'], query, ['SET', 'message', message]), false);
    await one('event', { message });
    assert.equal(await update(['hit', 'event'], query, ['SET', 'message', message]), true);
  });

  it('changes nothing anywhere, when one of the collections cannot take it', async () => {
    const id = await one('hit', { message: 'kept' });
    const query = `howler.id:${id}`;
    // Only alerts have an analytic.
    await assert.rejects(update(['hit', 'event'], query, ['SET', 'howler.analytic', 'x']), { code: 'unknown_field' });
    await assert.rejects(update(['hit'], query, ['SET', 'classification', 'x']), { code: 'protected_field' });
    await assert.rejects(update(['event'], query, ['SET', '__access_lvl__', 1]), { code: 'protected_field' });
    await assert.rejects(update(['hit', 'event'], 'a:[', ['SET', 'message', 'x']), { code: 'invalid_query' });
    assert.equal((await services.hitCollection.get(id, EVERYTHING))?.howler.analytic, 'Probe');
    assert.equal((await stored('hit', id))?.howler.log.length, 1);
  });
});

describe('deleting records', () => {
  const remove = (indexes: readonly IngestIndex[], ids: readonly string[], actor = root) =>
    services.ingest.delete(actor, indexes, ids, 'now');

  it('takes them from the collections that were named, and out of what others relate to', async () => {
    const [hit, event] = [await one('hit'), await one('event')];
    const relatedHit = await one('hit', { 'howler.related': [event, 'kept'] });
    const relatedEvent = await one('event', { 'howler.related': [hit, event] });
    await remove(['hit', 'event'], [event, hit, event]);
    assert.equal(await stored('hit', hit), undefined);
    assert.equal(await stored('event', event), undefined);
    assert.deepEqual((await stored('hit', relatedHit))?.howler.related, ['kept']);
    assert.deepEqual((await stored('event', relatedEvent))?.howler.related, []);
  });

  it('deletes all of them or none', async () => {
    const [hit, event] = [await one('hit'), await one('event')];
    await assert.rejects(remove(['hit'], [hit, event, 'none']), {
      code: 'record_missing',
      message: `Record ids [${event},none] do not exist.`,
    });
    assert.ok(await stored('hit', hit));
    await remove(['hit'], []);
  });

  it('is for administrators, and what they do not find is not there', async () => {
    const id = await one('event', { classification: 'RESTRICTED' });
    await assert.rejects(remove(['event'], [id], ana), { kind: 'forbidden', code: 'not_administrator' });
    const lowRoot = { ...root, searchAccess: low.searchAccess };
    await assert.rejects(remove(['event'], [id], lowRoot), { code: 'record_missing' });
    await remove(['event'], [id]);
  });
});
