import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import type { FacetRequest } from '../../port/search.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, series, where } from '../things.ts';

export function facetsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('counts the documents of each value, the most frequent first, then by key', async () => {
    const things = opened.things();
    await fill(
      things,
      [...'bcaabca'].map((name, index) => ({ thing_id: `${index}`, name })),
    );
    assert.deepEqual(await counts(things, { field: 'name' }), [
      ['a', 3],
      ['b', 2],
      ['c', 2],
    ]);
    assert.deepEqual(await counts(things, { field: 'name', ...where(things, 'NOT name:a') }), [
      ['b', 2],
      ['c', 2],
    ]);
  });

  it('counts documents, not values', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'a', ports: [2, 2, 2, 3], comments: [{ user: 'u' }, { user: 'u' }] },
      { thing_id: 'b', ports: [3], comments: [{ user: 'u' }, { user: 'v' }] },
      { thing_id: 'c', ports: [] },
    ]);
    assert.deepEqual(await counts(things, { field: 'ports' }), [
      [3, 2],
      [2, 1],
    ]);
    assert.deepEqual(await counts(things, { field: 'comments.user' }), [
      ['u', 2],
      ['v', 1],
    ]);
  });

  it('lists ten, or as many as asked for, and counts the rest', async () => {
    const things = opened.things();
    await fill(
      things,
      series(30, (index) => ({ port: index % 12 })),
    );
    const ten = await things.facet({ ...ALL, field: 'port' }, EVERYTHING);
    assert.equal(ten.buckets.length, 10);
    assert.equal(ten.other, 4);
    const two = await things.facet({ ...ALL, field: 'port', rows: 2 }, EVERYTHING);
    assert.deepEqual(
      [two.buckets.map(({ key, count }) => [key, count]), two.other],
      [
        [
          [0, 3],
          [1, 3],
        ],
        24,
      ],
    );
    assert.equal((await things.facet({ ...ALL, field: 'port', rows: 50 }, EVERYTHING)).other, 0);
  });

  it('leaves out the rare ones, or lists the values of all documents', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: '1', name: 'x', port: 1 },
      { thing_id: '2', name: 'x', port: 1 },
      { thing_id: '3', name: 'y', port: 2 },
      { thing_id: '4', name: 'z', port: 9 },
    ]);
    assert.deepEqual(await counts(things, { field: 'name', minCount: 2 }), [['x', 2]]);
    assert.deepEqual(await counts(things, { field: 'name', minCount: 0, ...where(things, 'port:[1 TO 2]') }), [
      ['x', 2],
      ['y', 1],
      ['z', 0],
    ]);
    assert.deepEqual(await counts(things, { field: 'name', ...where(things, 'port:77') }), []);
  });

  it('orders by key or count, in both directions', async () => {
    const things = opened.things();
    await fill(
      things,
      [...'bbcaab'].map((name, index) => ({ thing_id: `${index}`, name })),
    );
    const keys = async (by: 'key' | 'count', direction: 'asc' | 'desc') =>
      (await counts(things, { field: 'name', order: { by, direction } })).map(([key]) => key).join('');
    assert.equal(await keys('key', 'asc'), 'abc');
    assert.equal(await keys('key', 'desc'), 'cba');
    assert.equal(await keys('count', 'asc'), 'cab');
    assert.equal(await keys('count', 'desc'), 'bac');
  });

  it('includes and excludes by expression and by list', async () => {
    const things = opened.things();
    await fill(
      things,
      ['open', 'on-hold', 'resolved', 'a.c', 'abc'].map((name) => ({ thing_id: name, name, title: name })),
    );
    const keys = async (request: Partial<FacetRequest>) =>
      (await counts(things, { field: 'name', ...request })).map(([key]) => key);
    assert.deepEqual(await keys({ include: 'o.*' }), ['on-hold', 'open']);
    assert.deepEqual(await keys({ include: 'o.*', exclude: ['open'] }), ['on-hold']);
    assert.deepEqual(await keys({ include: ['open', 'absent'] }), ['open']);
    assert.deepEqual(await keys({ exclude: 'o.*|r.*' }), ['a.c', 'abc']);
    assert.deepEqual(await keys({ include: ['a.c'] }), ['a.c'], 'a list holds no expressions');
    assert.deepEqual(await keys({ include: 'pe' }), [], 'an expression covers the whole value');
  });

  it('counts documents without the field under a value of the caller', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: '1', name: 'x' }, { thing_id: '2' }, { thing_id: '3', name: null }]);
    assert.deepEqual(await counts(things, { field: 'name', missing: 'none' }), [
      ['none', 2],
      ['x', 1],
    ]);
    assert.deepEqual(await counts(things, { field: 'name', missing: 'x' }), [['x', 3]]);
  });

  it('gives keys in their indexed form with a label to read', async () => {
    const things = opened.things();
    await fill(things, [
      {
        thing_id: '1',
        title: 'MixedCase',
        active: true,
        seen: '2026-01-02T03:04:05.678901Z',
        address: '2001:0DB8:0::1',
        size: '9223372036854775807',
        score: 0.5,
        labels: { zone: 'dmz' },
      },
    ]);
    const bucket = async (field: string) => {
      const [first] = (await things.facet({ ...ALL, field }, EVERYTHING)).buckets;
      return [first?.key, first?.label];
    };
    assert.deepEqual(await bucket('title'), ['mixedcase', 'mixedcase']);
    assert.deepEqual(await bucket('active'), [1, 'true']);
    assert.deepEqual(await bucket('seen'), [Date.parse('2026-01-02T03:04:05.678Z'), '2026-01-02T03:04:05.678Z']);
    assert.deepEqual(await bucket('address'), ['20010db8000000000000000000000001', '2001:db8::1']);
    assert.deepEqual(await bucket('size'), [9223372036854775807n, '9223372036854775807']);
    assert.deepEqual(await bucket('score'), [0.5, '0.5']);
    assert.deepEqual(await bucket('labels.zone'), ['dmz', 'dmz']);
  });

  it('finds nothing in a field that no document has, and refuses prose', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: '1', note: 'some words', secret: 'hidden' }]);
    assert.deepEqual(await counts(things, { field: 'name' }), []);
    for (const field of ['note', 'secret']) {
      await assert.rejects(things.facet({ ...ALL, field }, EVERYTHING), { kind: 'invalid_input' }, field);
    }
  });
}

async function counts(
  things: Collection<StoredDocument>,
  request: Omit<FacetRequest, 'query'> & Partial<FacetRequest>,
): Promise<(readonly [string | number | bigint, number])[]> {
  const { buckets } = await things.facet({ ...ALL, ...request }, EVERYTHING);
  return buckets.map(({ key, count }) => [key, count] as const);
}
