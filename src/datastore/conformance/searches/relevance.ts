import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import { anyOf, bestOf, boosted, MATCH_ALL, not, type QueryNode, withScore } from '../../port/query-tree.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { EVERYTHING, fill, readsUpTo, series } from '../things.ts';

const equals = (field: string, value: string): QueryNode => ({ kind: 'term', field, value });

export function relevanceArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  const ranked = async (things: Collection<StoredDocument>, query: QueryNode, options: object = {}) => {
    const { items, scores = [] } = await things.search({ query, byRelevance: true, ...options }, EVERYTHING);
    assert.equal(scores.length, items.length);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
    return Object.fromEntries(items.map(({ id }, at) => [id, scores[at] ?? Number.NaN]));
  };

  it('combines constant scores by sum, by the best and by a factor', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'none', name: 'd' },
      { thing_id: 'one', name: 'a', port: 1 },
      { thing_id: 'both', name: 'a', port: 2 },
      { thing_id: 'two', name: 'b', port: 2 },
    ]);
    const parts = [
      withScore(equals('name', 'a'), 0.5),
      withScore({ kind: 'term', field: 'port', value: 2 }, 2),
    ] as const;
    assert.deepEqual(await ranked(things, anyOf(...parts)), { both: 2.5, two: 2, one: 0.5 });
    assert.deepEqual(await ranked(things, bestOf(...parts)), { both: 2, two: 2, one: 0.5 });
    assert.deepEqual(await ranked(things, boosted(anyOf(...parts), 4)), { both: 10, two: 8, one: 2 });
    const required: QueryNode = {
      kind: 'boolean',
      must: [parts[0]],
      should: [parts[1]],
      mustNot: [equals('name', 'b')],
    };
    assert.deepEqual(await ranked(things, required), { both: 2.5, one: 0.5 });
    assert.deepEqual(await ranked(things, anyOf(required, withScore(equals('name', 'd'), 1))), {
      both: 2.5,
      none: 1,
      one: 0.5,
    });
  });

  it('scores patterns, numbers, addresses and everything the same', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'a', name: 'fox', port: 1, address: '10.0.0.1' },
      { thing_id: 'b', name: 'foxglove', port: 1, address: '10.0.0.2' },
    ]);
    const address = '00000000000000000000ffff0a000001';
    const nodes: QueryNode[] = [
      { kind: 'wildcard', field: 'name', pattern: '*o*' },
      { kind: 'prefix', field: 'name', value: 'fox' },
      { kind: 'term', field: 'port', value: 1 },
      MATCH_ALL,
    ];
    for (const node of nodes) assert.deepEqual(await ranked(things, node), { a: 1, b: 1 }, node.kind);
    assert.deepEqual(await ranked(things, equals('address', address)), { a: 1 });
  });

  it('puts the better field first, and adds nothing for the other', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'title', title: 'fox', name: 'hen' },
      { thing_id: 'name', title: 'hen', name: 'fox' },
      { thing_id: 'both', title: 'fox', name: 'fox' },
      { thing_id: 'neither', title: 'hen', name: 'hen' },
    ]);
    const scores = await ranked(things, bestOf(boosted(equals('name', 'fox'), 4), equals('title', 'fox')));
    assert.deepEqual(Object.keys(scores), ['name', 'both', 'title']);
    assert.equal(scores.name, scores.both);
    assert.ok(Number(scores.name) > 3 * Number(scores.title));
  });

  it('scores a rare term above a common one', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'rare', name: 'lynx' }, ...series(20, () => ({ name: 'hen' }))]);
    const scores = await ranked(things, anyOf(equals('name', 'hen'), equals('name', 'lynx')));
    assert.equal(Object.keys(scores)[0], 'rare');
    assert.ok(Number(scores.rare) > 2 * Number(scores.t0000));
    assert.equal(scores.t0000, scores.t0019);
  });

  it('scores full text by how often a word occurs and how long the text is', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'long', note: 'a fox and seven hens in the garden behind the old house' },
      { thing_id: 'short', note: 'a fox' },
      { thing_id: 'often', note: 'fox and fox' },
      { thing_id: 'none', note: 'a hen' },
    ]);
    const scores = await ranked(things, equals('note', 'fox'));
    assert.deepEqual(Object.keys(scores), ['often', 'short', 'long']);
  });

  it('scores the more similar term higher', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'two', name: 'embarfix', note: 'the embarfix' },
      { thing_id: 'one', name: 'emberfix', note: 'the emberfix' },
      { thing_id: 'same', name: 'emberfox', note: 'the emberfox' },
      { thing_id: 'other', name: 'hen', note: 'the hen' },
    ]);
    for (const field of ['name', 'note']) {
      const scores = await ranked(things, { kind: 'fuzzy', field, value: 'emberfox', maxEdits: 2 });
      assert.deepEqual(Object.keys(scores), ['same', 'one', 'two'], field);
      assert.ok(Math.abs(Number(scores.one) / Number(scores.same) - 7 / 8) < 0.001, field);
      assert.ok(Math.abs(Number(scores.two) / Number(scores.same) - 6 / 8) < 0.001, field);
    }
  });

  it('finds phrases whose last word is only begun', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'phrase', note: 'the finance department' },
      { thing_id: 'turned', note: 'department finance' },
      { thing_id: 'apart', note: 'finance of the department' },
      { thing_id: 'begun', note: 'its financial department' },
    ]);
    const begun = (...terms: string[]): QueryNode => ({
      kind: 'phrase',
      field: 'note',
      terms,
      slop: 0,
      lastIsPrefix: true,
    });
    assert.deepEqual(Object.keys(await ranked(things, begun('finance', 'dep'))), ['phrase']);
    assert.deepEqual(Object.keys(await ranked(things, begun('financ'))).toSorted(), [
      'apart',
      'begun',
      'phrase',
      'turned',
    ]);
    assert.deepEqual(Object.keys(await ranked(things, begun('epartment'))), []);
    const words = ['finance', 'department'].map((value) => equals('note', value));
    const scores = await ranked(things, anyOf(...words, begun('finance', 'department')));
    assert.equal(Object.keys(scores)[0], 'phrase');
  });

  it('takes no score from filters and access', async () => {
    const things = opened.things({ classified: true });
    await fill(
      things,
      series(6, (index) => ({ name: index % 2 ? 'fox' : 'hen', __access_lvl__: index < 4 ? 100 : 300 })),
    );
    const query = withScore(MATCH_ALL, 2);
    const filters = [equals('name', 'fox'), not(equals('thing_id', 't0001'))];
    assert.deepEqual(await ranked(things, query, { filters }), { t0003: 2, t0005: 2 });
    const { items, scores } = await things.search({ query, filters, byRelevance: true }, readsUpTo(100));
    assert.deepEqual([items.map(({ id }) => id), scores], [['t0003'], [2]]);
  });

  it('gives pages, equal scores in the order of insertion', async () => {
    const things = opened.things();
    await fill(
      things,
      series(30, (index) => ({ name: index === 20 ? 'fox' : 'hen' })),
    );
    const query = anyOf(MATCH_ALL, withScore(equals('name', 'fox'), 5));
    const page = await things.search({ query, byRelevance: true, offset: 1, rows: 3 }, EVERYTHING);
    assert.deepEqual(
      [page.items.map(({ id }) => id), page.scores, page.total],
      [['t0000', 't0001', 't0002'], [1, 1, 1], 30],
    );
    const total = await things.search({ query, byRelevance: true, rows: 0 }, EVERYTHING);
    assert.deepEqual([total.items, total.scores, total.total], [[], [], 30]);
    const beyond = await things.search({ query, byRelevance: true, offset: 50 }, EVERYTHING);
    assert.deepEqual([beyond.items, beyond.total], [[], 30]);
    assert.equal((await things.search({ query }, EVERYTHING)).scores, undefined);
  });

  it('merges several collections by score', async () => {
    const collections = [opened.things(), opened.things()];
    for (const [which, things] of collections.entries()) {
      await fill(things, [
        { thing_id: `${which}-low`, port: which },
        { thing_id: `${which}-high`, port: which + 10 },
      ]);
    }
    const definitions = collections.map(({ definition }) => definition as CollectionDefinition<unknown>);
    const scored = [0, 1, 10, 11].map((value) => withScore({ kind: 'term', field: 'port', value }, value + 1));
    const request = () => ({ query: anyOf(...scored), byRelevance: true, rows: 3 }) as const;
    const { items, scores, total } = await opened.store.searchAcross(definitions, request, EVERYTHING);
    assert.deepEqual(
      items.map(({ id }) => id),
      ['1-high', '0-high', '1-low'],
    );
    assert.deepEqual([scores, total], [[12, 11, 2], 4]);
  });
}
