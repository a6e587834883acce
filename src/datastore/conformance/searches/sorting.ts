import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SortClause } from '../../port/search.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, idsOf } from '../things.ts';

export function sortingArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('orders values of every kind, missing ones last in both directions', async () => {
    const things = opened.things();
    // In ascending order of each field.
    await fill(things, [
      { thing_id: 'missing' },
      { thing_id: 'c', name: '😀', title: 'Ccc', port: 10, size: '9223372036854775807', score: 1.5, active: true },
      { thing_id: 'a', name: 'B', title: 'AAA', port: -1, size: -5, score: -1.5, active: false },
      { thing_id: 'b', name: '\uffee', title: 'bbb', port: 2, size: '9223372036854775806', score: 0.5, active: true },
      { thing_id: 'null', name: null, title: null, port: null, size: null, score: null, active: null },
    ]);
    for (const field of ['name', 'title', 'port', 'size', 'score']) {
      const ascending = await idsOf(things, { ...ALL, sort: [{ field, order: 'asc' }] });
      const descending = await idsOf(things, { ...ALL, sort: [{ field, order: 'desc' }] });
      assert.deepEqual(ascending, ['a', 'b', 'c', 'missing', 'null'], field);
      assert.deepEqual(descending, ['c', 'b', 'a', 'missing', 'null'], field);
    }
    assert.deepEqual(await idsOf(things, { ...ALL, sort: [{ field: 'active', order: 'asc' }] }), [
      'a',
      'c',
      'b',
      'missing',
      'null',
    ]);
  });

  it('orders dates and addresses by what they mean', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'b', seen: '2026-01-01T10:00:00.000000Z', address: '10.0.0.2' },
      { thing_id: 'c', seen: '2026-01-01T10:00:00.001000Z', address: '10.0.0.10' },
      { thing_id: 'a', seen: '2025-12-31T23:00:00.000000-08:00', address: '::1' },
      { thing_id: 'd', seen: '2027-01-01', address: '2001:db8::1' },
    ]);
    for (const field of ['seen', 'address']) {
      assert.deepEqual(await idsOf(things, { ...ALL, sort: [{ field, order: 'asc' }] }), ['a', 'b', 'c', 'd'], field);
      assert.deepEqual(await idsOf(things, { ...ALL, sort: [{ field, order: 'desc' }] }), ['d', 'c', 'b', 'a'], field);
    }
  });

  it('puts missing values first or last, as asked', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'none' }, { thing_id: 'one', port: 1 }, { thing_id: 'two', port: 2 }]);
    const order = (clause: Omit<SortClause, 'field'>) =>
      idsOf(things, { ...ALL, sort: [{ field: 'port', ...clause }] });
    assert.deepEqual(await order({ order: 'asc', missing: 'first' }), ['none', 'one', 'two']);
    assert.deepEqual(await order({ order: 'desc', missing: 'first' }), ['none', 'two', 'one']);
    assert.deepEqual(await order({ order: 'desc', missing: 'last' }), ['two', 'one', 'none']);
  });

  it('takes the smallest value of a list for ascending, the largest for descending order', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'wide', ports: [1, 9], comments: [{ stars: 9 }, { stars: 1 }] },
      { thing_id: 'middle', ports: [5], comments: [{ stars: 5 }] },
      { thing_id: 'empty', ports: [], comments: [] },
    ]);
    for (const field of ['ports', 'comments.stars']) {
      assert.deepEqual(await idsOf(things, { ...ALL, sort: [{ field, order: 'asc' }] }), ['wide', 'middle', 'empty']);
      assert.deepEqual(await idsOf(things, { ...ALL, sort: [{ field, order: 'desc' }] }), ['wide', 'middle', 'empty']);
    }
  });

  it('takes the value of a list that it is told to', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'wide', ports: [1, 9] },
      { thing_id: 'middle', ports: [5, 6] },
      { thing_id: 'none' },
    ]);
    const order = (clause: Omit<SortClause, 'field'>) =>
      idsOf(things, { ...ALL, sort: [{ field: 'ports', ...clause }] });
    assert.deepEqual(await order({ order: 'asc', mode: 'max' }), ['middle', 'wide', 'none']);
    assert.deepEqual(await order({ order: 'desc', mode: 'min' }), ['middle', 'wide', 'none']);
    assert.deepEqual(await order({ order: 'asc', mode: 'min' }), ['wide', 'middle', 'none']);
  });

  it('knows the order of insertion by a name of its own', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'z' }, { thing_id: 'a' }, { thing_id: 'm' }]);
    assert.deepEqual(await idsOf(things, { ...ALL, sort: [{ field: '_doc', order: 'asc' }] }), ['z', 'a', 'm']);
    assert.deepEqual(await idsOf(things, { ...ALL, sort: [{ field: '_doc', order: 'desc' }] }), ['m', 'a', 'z']);
    assert.deepEqual(await idsOf(things, { ...ALL, sort: [] }), ['z', 'a', 'm']);
  });

  it('uses further clauses where the earlier ones are equal, then the order of insertion', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'z', name: 'x', port: 1 },
      { thing_id: 'b', name: 'y', port: 1 },
      { thing_id: 'y', name: 'x', port: 2 },
      { thing_id: 'a', name: 'x', port: 1 },
    ]);
    const name: SortClause = { field: 'name', order: 'desc' };
    assert.deepEqual(await idsOf(things, { ...ALL, sort: [name] }), ['b', 'z', 'y', 'a']);
    assert.deepEqual(await idsOf(things, { ...ALL, sort: [name, { field: 'port', order: 'desc' }] }), [
      'b',
      'y',
      'z',
      'a',
    ]);
    assert.deepEqual(
      await idsOf(things, { ...ALL, sort: [name, { field: 'port', order: 'asc' }, { field: 'id', order: 'asc' }] }),
      ['b', 'a', 'z', 'y'],
    );
  });

  it('uses the default order of the collection unless told otherwise', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'old', seen: '2026-01-01T00:00:00.000000Z' },
      { thing_id: 'none' },
      { thing_id: 'new', seen: '2026-02-01T00:00:00.000000Z' },
    ]);
    assert.deepEqual(await idsOf(things, ALL), ['new', 'old', 'none']);
    assert.deepEqual(
      (await things.search({ ...ALL, rows: 1 }, EVERYTHING)).items.map(({ id }) => id),
      ['new'],
    );
  });

  it('refuses to sort by what has no order', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'a' }]);
    for (const field of ['nothing', 'owner', 'note', 'secret']) {
      const sort: SortClause[] = [{ field, order: 'asc' }];
      await assert.rejects(
        things.search({ ...ALL, sort }, EVERYTHING),
        { kind: 'invalid_input', code: 'unknown_sort_field' },
        field,
      );
    }
  });
}
