import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import { MATCH_NONE } from '../../port/query-tree.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, found, idsOf, readsAs, readsUpTo, where } from '../things.ts';

/** Three levels with three documents each; what only level 300 holds has values of its own everywhere. */
const LEVELS = [100, 200, 300];
const OPEN = LEVELS.slice(0, 2).flatMap((level) => [0, 1, 2].map((index) => `${level}-${index}`));

export function accessArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const caller = readsUpTo(200);

  const setUp = async (classified = true): Promise<Collection<StoredDocument>> => {
    const things = opened.things({ classified });
    await fill(
      things,
      LEVELS.flatMap((level) =>
        [0, 1, 2].map((index) => ({
          thing_id: `${level}-${index}`,
          name: `level ${level}`,
          note: level === 300 ? 'a hidden word' : 'an open word',
          port: level + index,
          seen: `2026-0${level / 100}-01T00:00:00.000Z`,
          tags: ['all', `only ${level}`],
          ...(level === 300 ? { title: 'hidden' } : {}),
          __access_lvl__: level,
        })),
      ),
    );
    return things;
  };

  it('has no document for a caller who may not see it', async () => {
    const things = await setUp();
    assert.equal(await things.get('300-0', caller), undefined);
    assert.equal(await things.getVersioned('300-0', caller), undefined);
    const several = await things.getMany(['300-0', '100-0', '300-1', '200-2'], caller);
    assert.deepEqual(
      several.map((document) => document?.thing_id),
      [undefined, '100-0', undefined, '200-2'],
    );
    assert.notEqual(await things.get('300-0', EVERYTHING), undefined);
    assert.equal(await things.get('100-0', readsUpTo(0)), undefined);
  });

  it('does not find, count or page to it with any query', async () => {
    const things = await setUp();
    for (const queryText of ['*:*', 'NOT name:absent', 'note:word', 'name:level*', 'tags:all', 'port:>0', 'id:*']) {
      assert.deepEqual(await found(things, queryText, caller), OPEN, queryText);
      assert.equal(await things.count(where(things, queryText), caller), 6, queryText);
    }
    const prying = [
      'note:hidden',
      'title:*',
      'port:[300 TO *]',
      'id:300\\-0',
      '__access_lvl__:300',
      'hidden',
      'note:hiden~',
    ];
    for (const queryText of [...prying, `note:open OR ${prying.join(' OR ')}`]) {
      const expected = queryText.startsWith('note:open') ? OPEN : [];
      assert.deepEqual(await found(things, queryText, caller), expected, queryText);
    }
    const { total } = await things.search({ ...ALL, rows: 0, filters: [{ kind: 'all' }] }, caller);
    assert.equal(total, 6);
    const byIdentifier = { query: { kind: 'ids', ids: ['300-0', '100-0'] } } as const;
    assert.deepEqual(await idsOf(things, byIdentifier, caller), ['100-0']);
    const sorted = await idsOf(
      things,
      {
        ...ALL,
        sort: [
          { field: 'title', order: 'asc' },
          { field: 'id', order: 'asc' },
        ],
      },
      caller,
    );
    assert.deepEqual(sorted, OPEN);
  });

  it('does not count it in a facet, list its values, or hint at them', async () => {
    const things = await setUp();
    const facet = async (request: object) => {
      const { buckets, other } = await things.facet({ ...ALL, field: 'tags', ...request }, caller);
      return [...buckets.map(({ key, count }) => `${key}=${count}`), `other=${other}`];
    };
    assert.deepEqual(await facet({}), ['all=6', 'only 100=3', 'only 200=3', 'other=0']);
    assert.deepEqual(await facet({ minCount: 0 }), ['all=6', 'only 100=3', 'only 200=3', 'other=0']);
    assert.deepEqual(await facet({ minCount: 0, ...where(things, 'port:100') }), [
      'all=1',
      'only 100=1',
      'only 200=0',
      'other=0',
    ]);
    assert.deepEqual(await facet({ rows: 1 }), ['all=6', 'other=6']);
    assert.deepEqual(await facet({ field: 'title' }), ['other=0']);
    assert.deepEqual(await facet({ field: 'title', missing: 'none' }), ['none=6', 'other=0']);
    assert.deepEqual(await facet({ include: 'only.*', minCount: 0 }), ['only 100=3', 'only 200=3', 'other=0']);
  });

  it('does not count it in a histogram or in figures', async () => {
    const things = await setUp();
    const step = { kind: 'number', size: 100 } as const;
    const steps = await things.histogram({ ...ALL, field: 'port', interval: step, minCount: 0 }, caller);
    assert.deepEqual(
      steps.map(({ key, count }) => [key, count]),
      [
        [100, 3],
        [200, 3],
      ],
    );
    const month = { kind: 'calendar', unit: 'month' } as const;
    assert.equal((await things.histogram({ ...ALL, field: 'seen', interval: month }, caller)).length, 2);
    const { count, max, sum } = await things.stats({ ...ALL, field: 'port' }, caller);
    assert.deepEqual([count, Number(max), Number(sum)], [6, 202, 906]);
    assert.equal((await things.stats({ ...where(things, 'title:hidden'), field: 'port' }, caller)).count, 0);
  });

  it('does not group or stream it', async () => {
    const things = await setUp();
    const result = await things.group({ ...ALL, field: 'name', limit: 10 }, caller);
    assert.equal(result.total, 6);
    assert.deepEqual(result.groups.map(({ value }) => value).toSorted(), ['level 100', 'level 200']);
    assert.deepEqual(result.groups.flatMap(({ items }) => items.map(({ id }) => id)).toSorted(), OPEN);
    const streamed = await Array.fromAsync(things.stream(ALL, caller));
    assert.deepEqual(
      streamed.map(({ id }) => id),
      OPEN,
    );
  });

  it('does not return it with a cursor of another caller', async () => {
    const things = await setUp();
    const request = { ...ALL, sort: [{ field: 'port', order: 'desc' }] as const, rows: 1 };
    const first = await things.search({ ...request, cursor: '*' }, EVERYTHING);
    assert.deepEqual(
      first.items.map(({ id }) => id),
      ['300-2'],
    );
    const outcome = await things.search({ ...request, rows: 8, cursor: first.nextCursor ?? '' }, caller).then(
      ({ items }) => items.map(({ id }) => id),
      () => [],
    );
    assert.deepEqual(
      outcome.filter((id) => id.startsWith('300')),
      [],
    );
  });

  it('does not update or delete it by a selection', async () => {
    const things = await setUp();
    const options = { access: caller, visible: 'now' } as const;
    const updated = await things.updateWhere(ALL, [{ op: 'set', path: 'title', value: 'touched' }], options);
    assert.equal(updated.matched, 6);
    assert.equal((await things.get('300-0', EVERYTHING))?.title, 'hidden');
    assert.equal((await things.deleteWhere(ALL, options)).matched, 6);
    assert.deepEqual(await found(things, '*:*'), ['300-0', '300-1', '300-2']);
  });

  it('shows a document again when its level is lowered, and hides it when it is raised', async () => {
    const things = await setUp();
    const setLevel = (value: number) =>
      things.update('300-0', [{ op: 'set', path: '__access_lvl__', value }], { visible: 'now' });
    await setLevel(100);
    assert.notEqual(await things.get('300-0', caller), undefined);
    assert.deepEqual(await found(things, 'note:hidden', caller), ['300-0']);
    await setLevel(300);
    assert.equal(await things.get('300-0', caller), undefined);
    assert.deepEqual(await found(things, 'note:hidden', caller), []);
  });

  it('shows nothing to a caller who may see nothing', async () => {
    const things = await setUp();
    const nobody = { filter: MATCH_NONE, username: undefined, admits: () => false };
    assert.equal(await things.get('100-0', nobody), undefined);
    assert.equal(await things.count(ALL, nobody), 0);
    assert.deepEqual(await found(things, '*:* OR NOT name:x', nobody), []);
    assert.deepEqual((await things.facet({ ...ALL, field: 'tags', minCount: 0 }, nobody)).buckets, []);
    assert.deepEqual(await Array.fromAsync(things.stream(ALL, nobody)), []);
  });

  it('shows of documents that belong to users the shared ones and the own', async () => {
    const things = opened.things({ owned: true, classified: true });
    await fill(things, [
      { thing_id: 'global', name: 'shared', tags: ['ben'], port: 1 },
      { thing_id: 'mine', name: 'other', tags: ['ana'], port: 2 },
      { thing_id: 'ours', name: 'other', tags: ['ben', 'ana'], port: 3 },
      { thing_id: 'theirs', name: 'other', tags: ['ben'], port: 4 },
      { thing_id: 'odd', name: 'sharedly', port: 5 },
    ]);
    const ana = readsAs('ana');
    const visible = ['global', 'mine', 'ours'];
    for (const queryText of ['*:*', 'NOT name:x', 'tags:ben OR port:*', 'id:theirs OR name:*']) {
      assert.deepEqual(await found(things, queryText, ana), visible, queryText);
    }
    assert.equal(await things.count(ALL, ana), 3);
    assert.deepEqual((await things.getMany([...visible, 'theirs', 'odd'], ana)).map(Boolean), [
      true,
      true,
      true,
      false,
      false,
    ]);
    assert.equal(await things.getVersioned('theirs', ana), undefined);
    assert.deepEqual(await things.stats({ ...ALL, field: 'port' }, ana).then(({ max }) => Number(max)), 3);
    assert.deepEqual(
      (await things.facet({ ...ALL, field: 'name', minCount: 0 }, ana)).buckets.map(({ label }) => label),
      ['other', 'shared'],
    );
    assert.deepEqual(
      (await Array.fromAsync(things.stream(ALL, ana))).map(({ id }) => id),
      visible,
    );
    assert.equal(await things.count(ALL, EVERYTHING), 5);
    assert.equal(await things.count(ALL, readsAs('eve')), 1);
    await things.update('mine', [{ op: 'set', path: 'tags', value: ['ben'] }], { visible: 'now' });
    assert.deepEqual(await found(things, '*:*', ana), ['global', 'ours']);
    assert.deepEqual(await found(things, 'port:2', readsAs('ben')), ['mine']);
  });

  it('does not apply to a collection whose documents are not classified', async () => {
    const things = await setUp(false);
    assert.equal(await things.count(ALL, readsUpTo(0)), 9);
    assert.notEqual(await things.get('300-0', readsUpTo(0)), undefined);
    assert.equal((await things.getMany(['300-0'], readsUpTo(0))).filter(Boolean).length, 1);
    assert.equal((await Array.fromAsync(things.stream(ALL, readsUpTo(0)))).length, 9);
  });
}
