import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { SortClause } from '../../port/search.ts';
import { compileQuery } from '../../query-language/compile-query.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { EVERYTHING, fill, readsUpTo } from '../things.ts';

export function acrossArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const sort: readonly SortClause[] = [{ field: 'port', order: 'asc' }];

  const setUp = async (classified = false) => {
    const collections = [opened.things({ classified }), opened.things(), opened.things()];
    for (const [which, things] of collections.entries()) {
      await fill(
        things,
        Array.from({ length: 10 }, (_, index) => ({
          thing_id: `${which}-${index}`,
          port: index * 3 + which,
          name: index % 2 ? 'odd' : 'even',
          __access_lvl__: index < 5 ? 100 : 300,
        })),
      );
    }
    return collections.map(({ definition }) => definition as CollectionDefinition<unknown>);
  };
  const ask =
    (queryText: string, options: { offset?: number; rows?: number; sort?: readonly SortClause[] } = {}) =>
    (definition: CollectionDefinition<unknown>) => ({
      query: compileQuery(queryText, definition as CollectionDefinition<StoredDocument>),
      sort,
      ...options,
    });

  it('merges several collections into one order', async () => {
    const definitions = await setUp();
    const { items, total } = await opened.store.searchAcross(definitions, ask('*:*', { rows: 100 }), EVERYTHING);
    assert.equal(total, 30);
    assert.deepEqual(
      items.map(({ document }) => (document as StoredDocument).port),
      Array.from({ length: 30 }, (_, index) => index),
    );
    const names = definitions.map(({ name }) => name);
    assert.ok(items.every(({ id, collection }) => collection === names[Number(id[0])]));
  });

  it('gives pages of the merged order, descending too', async () => {
    const definitions = await setUp();
    const descending: SortClause[] = [{ field: 'port', order: 'desc' }];
    const page = await opened.store.searchAcross(
      definitions,
      ask('name:even', { offset: 4, rows: 5, sort: descending }),
      EVERYTHING,
    );
    assert.deepEqual([page.total, page.offset], [15, 4]);
    assert.deepEqual(
      page.items.map(({ id }) => id),
      ['1-6', '0-6', '2-4', '1-4', '0-4'],
    );
    const total = await opened.store.searchAcross(definitions, ask('name:even', { rows: 0 }), EVERYTHING);
    assert.deepEqual([total.items, total.total], [[], 15]);
  });

  it('sorts a collection without the field as if its documents missed it, where that is asked for', async () => {
    const definitions = await setUp();
    const unknown: SortClause = { field: 'no_such', order: 'desc' };
    const { items } = await opened.store.searchAcross(
      definitions,
      ask('*:*', { rows: 5, sort: [{ ...unknown, unmapped: 'missing' }, ...sort] }),
      EVERYTHING,
    );
    assert.deepEqual(
      items.map(({ document }) => (document as StoredDocument).port),
      [0, 1, 2, 3, 4],
    );
    await assert.rejects(opened.store.searchAcross(definitions, ask('*:*', { sort: [unknown] }), EVERYTHING), {
      code: 'unknown_sort_field',
    });
  });

  it('asks every collection with a query of its own', async () => {
    const definitions = await setUp();
    const { items } = await opened.store.searchAcross(
      definitions,
      (definition) => ask(definition === definitions[0] ? 'port:0' : 'port:[28 TO 29]')(definition),
      EVERYTHING,
    );
    assert.deepEqual(
      items.map(({ id }) => id),
      ['0-0', '1-9', '2-9'],
    );
  });

  it('shows of classified collections what the caller may see, and of the others everything', async () => {
    const definitions = await setUp(true);
    const { items, total } = await opened.store.searchAcross(definitions, ask('*:*', { rows: 100 }), readsUpTo(200));
    assert.equal(total, 25);
    assert.deepEqual(
      definitions.map(({ name }) => items.filter(({ collection }) => collection === name).length),
      [5, 10, 10],
    );
  });

  it('takes one collection, or none', async () => {
    const definitions = await setUp();
    assert.equal((await opened.store.searchAcross(definitions.slice(0, 1), ask('*:*'), EVERYTHING)).total, 10);
    const none = await opened.store.searchAcross([], ask('*:*'), EVERYTHING);
    assert.deepEqual([none.items, none.total], [[], 0]);
  });
}
