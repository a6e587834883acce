import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { fill, readsUpTo, series, thingDefinition } from '../../conformance/things.ts';
import type { Collection } from '../../port/collection.ts';
import type { Datastore } from '../../port/datastore.ts';
import { anyOf, type QueryNode } from '../../port/query-tree.ts';
import { keywordShare, rarity } from '../../semantics/relevance.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';

describe('scores of the embedded datastore', () => {
  let store: Datastore;
  before(async () => {
    store = await openEmbeddedDatastore({ folder: 'memory', prefix: 'relevance' });
  });
  after(() => store?.close());

  const scoresOf = async (things: Collection<StoredDocument>, query: QueryNode) => {
    const { items, scores = [] } = await things.search({ query, byRelevance: true }, readsUpTo(100));
    return new Map(items.map(({ id }, at) => [id, scores[at] ?? Number.NaN]));
  };
  const term = (field: string, value: string): QueryNode => ({ kind: 'term', field, value });

  it('are those of the formula, for single values and lists', async () => {
    const things = store.collection(thingDefinition());
    await fill(things, [
      { thing_id: 'a', name: 'fox', tags: ['x', 'y', 'z'] },
      { thing_id: 'b', name: 'hen', tags: ['x'] },
      { thing_id: 'c', name: 'hen' },
      { thing_id: 'd' },
    ]);
    const name = { documents: 3, averageLength: 1 };
    const tags = { documents: 2, averageLength: 2 };
    const fox = Math.fround(rarity(name, 1) * keywordShare(name));
    assert.deepEqual(await scoresOf(things, term('name', 'fox')), new Map([['a', fox]]));
    const x = Math.fround(rarity(tags, 2) * keywordShare(tags));
    assert.deepEqual(
      await scoresOf(things, term('tags', 'x')),
      new Map([
        ['a', x],
        ['b', x],
      ]),
    );
  });

  it('tell nothing of documents that the caller must not see', async () => {
    const things = store.collection(thingDefinition({ classified: true }));
    const at = (level: number, name: string, note: string) => ({ name, note, __access_lvl__: level });
    await fill(things, [
      { thing_id: 'fox', ...at(100, 'fox', 'a fox and a hen') },
      { thing_id: 'hen', ...at(100, 'hen', 'a hen') },
    ]);
    const query = anyOf(
      term('name', 'fox'),
      term('note', 'hen'),
      { kind: 'fuzzy', field: 'name', value: 'box', maxEdits: 1 },
      { kind: 'phrase', field: 'note', terms: ['a', 'fo'], slop: 0, lastIsPrefix: true },
    );
    const first = await scoresOf(things, query);
    assert.deepEqual([...first.keys()], ['fox', 'hen']);
    await fill(
      things,
      series(20, (index) => at(300, index % 2 ? 'fox' : 'box', 'a fox, a fortress and a hen')),
    );
    assert.deepEqual(await scoresOf(things, query), first);
    // More similar values than a fuzzy term stands for.
    await fill(
      things,
      series(60, (index) => at(300, `box${String.fromCodePoint(0x4e00 + index)}`, '')).map((document, index) => ({
        ...document,
        thing_id: `hidden${index}`,
      })),
    );
    assert.deepEqual(await scoresOf(things, query), first);
  });
});
