import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import type { StatsRequest } from '../../port/search.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, series, where } from '../things.ts';

export function statsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('measures every value, not every document', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'a', ports: [1, 1, 4], port: 2 },
      { thing_id: 'b', ports: [10] },
      { thing_id: 'c', ports: [], port: null },
    ]);
    assert.deepEqual(await stats(things, { field: 'ports' }), { count: 4, min: 1, max: 10, avg: 4, sum: 16 });
    assert.deepEqual(await stats(things, { field: 'port' }), { count: 1, min: 2, max: 2, avg: 2, sum: 2 });
    assert.deepEqual(await stats(things, { field: 'ports', ...where(things, 'ports:4') }), {
      count: 3,
      min: 1,
      max: 4,
      avg: 2,
      sum: 6,
    });
  });

  it('says 0 and null where nothing is', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'a' }]);
    const nothing = { count: 0, min: null, max: null, avg: null, sum: 0 };
    assert.deepEqual(await stats(things, { field: 'port' }), nothing);
    assert.deepEqual(await stats(things, { field: 'score', ...where(things, 'name:absent') }), nothing);
  });

  it('takes a value of the caller for documents without the field', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'a', port: 1 }, { thing_id: 'b' }, { thing_id: 'c', port: null }]);
    assert.deepEqual(await stats(things, { field: 'port', missing: 4 }), { count: 3, min: 1, max: 4, avg: 3, sum: 9 });
  });

  it('loses no small parts beside a large one', async () => {
    const things = opened.things();
    await fill(
      things,
      series(2001, (index) => ({ score: index === 0 ? 1 : 1e-16 })),
    );
    const { sum } = await stats(things, { field: 'score' });
    assert.ok(Math.abs(Number(sum) - (1 + 2e-13)) < 1e-15, `${sum}`);
  });

  it('measures large whole numbers, dates in milliseconds and booleans as 0 and 1', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'a', size: '9223372036854775807', seen: '1970-01-01T00:00:01.000Z', active: true },
      { thing_id: 'b', size: -1, seen: '1970-01-01T00:00:03.000Z', active: false },
    ]);
    const sizes = await things.stats({ ...ALL, field: 'size' }, EVERYTHING);
    assert.equal(sizes.count, 2);
    assert.equal(BigInt(sizes.min ?? 0), -1n);
    assert.ok(Math.abs(Number(sizes.max) / 2 ** 63 - 1) < 1e-9);
    assert.deepEqual(await stats(things, { field: 'seen' }), { count: 2, min: 1000, max: 3000, avg: 2000, sum: 4000 });
    assert.deepEqual(await stats(things, { field: 'active' }), { count: 2, min: 0, max: 1, avg: 0.5, sum: 1 });
  });

  it('refuses what is not a number', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'a', name: '1', note: '1', address: '1.1.1.1' }]);
    for (const field of ['name', 'note', 'address', 'secret']) {
      await assert.rejects(things.stats({ ...ALL, field }, EVERYTHING), { kind: 'invalid_input' }, field);
    }
  });
}

/** Returns statistics as numbers: below 2^53 an adapter may return integers as bigint. */
async function stats(
  things: Collection<StoredDocument>,
  request: Omit<StatsRequest, 'query'> & Partial<StatsRequest>,
): Promise<Record<string, number | null>> {
  const result = await things.stats({ ...ALL, ...request }, EVERYTHING);
  const { count, min, max, avg, sum } = result;
  return {
    count,
    min: min === null ? null : Number(min),
    max: max === null ? null : Number(max),
    avg,
    sum: Number(sum),
  };
}
