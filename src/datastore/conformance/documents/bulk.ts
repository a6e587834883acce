import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { type BulkItem, type BulkItemResult, MAX_DOCUMENT_SIZE } from '../../port/collection.ts';
import { ABSENT } from '../../port/versions.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, found, series } from '../things.ts';

type Item = BulkItem<StoredDocument>;

export function bulkArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('does everything in order, with a result per item', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'updated', port: 1 }, { thing_id: 'deleted' }]);
    const items: Item[] = [
      { kind: 'save', id: 'new', document: { thing_id: 'new', port: 1 } },
      { kind: 'update', id: 'updated', operations: [{ op: 'increment', path: 'port', by: 1 }] },
      { kind: 'update', id: 'new', operations: [{ op: 'increment', path: 'port', by: 5 }] },
      { kind: 'delete', id: 'deleted' },
      { kind: 'save', id: 'deleted', document: { thing_id: 'deleted', name: 'again' }, ifVersion: ABSENT },
    ];
    const results = await things.bulk(items, { visible: 'now' });
    assert.deepEqual(
      summaryOf(results),
      items.map(({ id }) => [id, 'ok']),
    );
    assert.deepEqual(await things.getMany(['new', 'updated', 'deleted'], EVERYTHING), [
      { thing_id: 'new', port: 6 },
      { thing_id: 'updated', port: 2 },
      { thing_id: 'deleted', name: 'again' },
    ]);
    for (const [index, id] of [
      [1, 'updated'],
      [2, 'new'],
      [4, 'deleted'],
    ] as const) {
      const result = results[index];
      assert.equal(result?.ok && result.version, (await things.getVersioned(id, EVERYTHING))?.version, id);
    }
    assert.deepEqual(await found(things, '*:*'), ['deleted', 'new', 'updated']);
  });

  it('continues after a failed item', async () => {
    const things = opened.things();
    const [stale] = await fill(things, [
      { thing_id: 'a', port: 1 },
      { thing_id: 'text', name: 'x' },
    ]);
    await things.save('a', { thing_id: 'a', port: 2 });
    const results = await things.bulk(
      [
        { kind: 'save', id: 'first', document: { thing_id: 'first' } },
        { kind: 'save', id: 'a', document: { thing_id: 'a' }, ifVersion: stale ?? '' },
        { kind: 'save', id: 'a', document: { thing_id: 'a' }, ifVersion: ABSENT },
        { kind: 'update', id: 'missing', operations: [{ op: 'set', path: 'port', value: 1 }] },
        { kind: 'update', id: 'text', operations: [{ op: 'increment', path: 'name', by: 1 }] },
        { kind: 'update', id: 'a', operations: [{ op: 'set', path: 'port', value: 1 }], ifVersion: stale ?? '' },
        { kind: 'delete', id: 'a', ifVersion: stale ?? '' },
        { kind: 'save', id: 'last', document: { thing_id: 'last' } },
      ],
      { visible: 'now' },
    );
    assert.deepEqual(summaryOf(results), [
      ['first', 'ok'],
      ['a', 'version_conflict'],
      ['a', 'already_exists'],
      ['missing', 'document_missing'],
      ['text', 'invalid_update'],
      ['a', 'version_conflict'],
      ['a', 'version_conflict'],
      ['last', 'ok'],
    ]);
    for (const result of results) if (!result.ok) assert.notEqual(result.message, '');
    assert.equal((await things.get('a', EVERYTHING))?.port, 2);
    assert.deepEqual(await found(things, '*:*'), ['a', 'first', 'last', 'text']);
  });

  it('stores none of several new documents when one exists already, comes twice or is too large', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'there', port: 1 }]);
    const creations = (...ids: string[]) => ids.map((id) => ({ id, document: { thing_id: id } }));
    const secret = 'x'.repeat(MAX_DOCUMENT_SIZE);
    for (const [documents, code] of [
      [creations('a', 'there', 'b'), 'already_exists'],
      [creations('a', 'b', 'a'), 'already_exists'],
      [[...creations('a'), { id: 'b', document: { thing_id: 'b', secret } }], 'document_too_large'],
    ] as const) {
      await assert.rejects(things.createAll(documents, 'now'), { code });
      assert.deepEqual(await things.getMany(['a', 'b'], EVERYTHING), [undefined, undefined]);
      assert.deepEqual(await found(things, '*:*'), ['there']);
    }
    assert.equal((await things.get('there', EVERYTHING))?.port, 1);
    await things.createAll(creations('a', 'b'), 'now');
    assert.deepEqual(await found(things, '*:*'), ['a', 'b', 'there']);
  });

  it('takes an empty list, and a thousand items', async () => {
    const things = opened.things();
    assert.deepEqual(await things.bulk([]), []);
    await things.createAll([]);
    const versions = await fill(
      things,
      series(1000, (index) => ({ port: index, name: `name ${index % 10}` })),
    );
    assert.equal(new Set(versions).size, 1000);
    assert.equal(await things.count(ALL, EVERYTHING), 1000);
    assert.equal((await found(things, 'name:"name 3"')).length, 100);
  });
}

function summaryOf(results: readonly BulkItemResult[]): [id: string, outcome: string][] {
  return results.map((result) => [result.id, result.ok ? 'ok' : result.code]);
}
