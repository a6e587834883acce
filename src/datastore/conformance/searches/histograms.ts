import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import type { HistogramRequest } from '../../port/search.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, where } from '../things.ts';

export function histogramsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const numbers = async (): Promise<Collection<StoredDocument>> => {
    const things = opened.things();
    const ports = [0, 1, 9, 10, 35, -1];
    await fill(
      things,
      ports.map((port) => ({ thing_id: `${port}`, port, score: port / 10, ports: [port, port, 100] })),
    );
    return things;
  };
  const size = (step: number) => ({ kind: 'number', size: step }) as const;

  it('counts documents in steps, gaps included, from the lower edge', async () => {
    const things = await numbers();
    assert.deepEqual(await counts(things, { field: 'port', interval: size(10) }), [
      [-10, 1],
      [0, 3],
      [10, 1],
      [20, 0],
      [30, 1],
    ]);
    assert.deepEqual(await counts(things, { field: 'score', interval: size(0.5), minCount: 1 }), [
      [-0.5, 1],
      [0, 2],
      [0.5, 1],
      [1, 1],
      [3.5, 1],
    ]);
    assert.deepEqual(await counts(things, { field: 'port', interval: size(10), ...where(things, 'port:>=10') }), [
      [10, 1],
      [20, 0],
      [30, 1],
    ]);
  });

  it('counts a document once in a step, however many of its values fall there', async () => {
    const things = await numbers();
    assert.deepEqual(await counts(things, { field: 'ports', interval: size(100), minCount: 1 }), [
      [-100, 1],
      [0, 5],
      [100, 6],
    ]);
  });

  it('shifts, bounds, orders and fills as asked', async () => {
    const things = await numbers();
    const steps = { field: 'port', interval: size(10) } as const;
    assert.deepEqual(await counts(things, { ...steps, offset: 5, minCount: 1 }), [
      [-5, 3],
      [5, 2],
      [35, 1],
    ]);
    assert.deepEqual(
      await counts(things, { ...steps, extendedBounds: { min: 30, max: 55 }, ...where(things, 'port:35') }),
      [
        [30, 1],
        [40, 0],
        [50, 0],
      ],
    );
    assert.deepEqual(
      await counts(things, { ...steps, extendedBounds: { min: 0, max: 10 }, ...where(things, 'port:77') }),
      [
        [0, 0],
        [10, 0],
      ],
    );
    assert.deepEqual(await counts(things, { ...steps, hardBounds: { min: 0, max: 19 }, minCount: 1 }), [
      [0, 3],
      [10, 1],
    ]);
    assert.deepEqual(await counts(things, { ...steps, minCount: 2 }), [[0, 3]]);
    assert.deepEqual(await counts(things, { ...steps, minCount: 1, order: { by: 'count', direction: 'desc' } }), [
      [0, 3],
      [-10, 1],
      [10, 1],
      [30, 1],
    ]);
    assert.deepEqual(await counts(things, { ...steps, minCount: 1, order: { by: 'key', direction: 'desc' } }), [
      [30, 1],
      [10, 1],
      [0, 3],
      [-10, 1],
    ]);
  });

  it('counts documents without the field under a value of the caller', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: '1', port: 1 }, { thing_id: '2' }]);
    assert.deepEqual(await counts(things, { field: 'port', interval: size(10), missing: 15 }), [
      [0, 1],
      [10, 1],
    ]);
    assert.deepEqual(await counts(things, { field: 'port', interval: size(10) }), [[0, 1]]);
  });

  it('counts dates in fixed and in calendar steps', async () => {
    const things = opened.things();
    const dates = ['2026-01-01T00:30:00.000Z', '2026-01-31T23:59:59.999Z', '2026-03-01T00:00:00.000Z'];
    await fill(
      things,
      dates.map((seen) => ({ thing_id: seen, seen })),
    );
    const labels = async (request: Omit<HistogramRequest, 'query' | 'field'>) =>
      (await things.histogram({ ...ALL, field: 'seen', ...request }, EVERYTHING)).map(({ label, count }) => [
        label,
        count,
      ]);

    assert.deepEqual(await labels({ interval: { kind: 'calendar', unit: 'month' } }), [
      ['2026-01-01T00:00:00.000Z', 2],
      ['2026-02-01T00:00:00.000Z', 0],
      ['2026-03-01T00:00:00.000Z', 1],
    ]);
    assert.deepEqual(await labels({ interval: { kind: 'fixed', duration: '1h' }, minCount: 1 }), [
      ['2026-01-01T00:00:00.000Z', 1],
      ['2026-01-31T23:00:00.000Z', 1],
      ['2026-03-01T00:00:00.000Z', 1],
    ]);
    const toronto = { interval: { kind: 'calendar', unit: '1M' }, timeZone: 'America/Toronto', minCount: 1 } as const;
    assert.deepEqual(await labels(toronto), [
      ['2025-12-01T00:00:00.000-05:00', 1],
      ['2026-01-01T00:00:00.000-05:00', 1],
      ['2026-02-01T00:00:00.000-05:00', 1],
    ]);
    assert.deepEqual(await labels({ interval: { kind: 'calendar', unit: 'month' }, format: 'yyyy-MM', minCount: 1 }), [
      ['2026-01', 2],
      ['2026-03', 1],
    ]);
    const [first] = await things.histogram(
      { ...ALL, field: 'seen', interval: { kind: 'fixed', duration: '1d' }, offset: '+6h' },
      EVERYTHING,
    );
    assert.equal(first?.key, Date.parse('2025-12-31T06:00:00Z'));
  });

  it('finds nothing where nothing is', async () => {
    const things = opened.things();
    assert.deepEqual(await counts(things, { field: 'port', interval: size(1) }), []);
    assert.deepEqual(await counts(things, { field: 'seen', interval: { kind: 'calendar', unit: 'day' } }), []);
  });

  it('refuses impossible steps, fields without steps and absurdly many', async () => {
    const things = await numbers();
    const refused = { kind: 'invalid_input' };
    for (const step of [0, -5, Number.NaN]) {
      await assert.rejects(
        things.histogram({ ...ALL, field: 'port', interval: size(step) }, EVERYTHING),
        refused,
        `${step}`,
      );
    }
    for (const field of ['name', 'note', 'address']) {
      await assert.rejects(things.histogram({ ...ALL, field, interval: size(1) }, EVERYTHING), refused, field);
    }
    for (const duration of ['abc', '0d', '-1d', '1.5d', '1w', '1M', '']) {
      const interval = { kind: 'fixed', duration } as const;
      await assert.rejects(things.histogram({ ...ALL, field: 'seen', interval }, EVERYTHING), refused, duration);
    }
    const zone = { interval: { kind: 'calendar', unit: 'day' }, timeZone: 'Nowhere/Town' } as const;
    await assert.rejects(things.histogram({ ...ALL, field: 'seen', ...zone }, EVERYTHING), refused);
    await assert.rejects(things.histogram({ ...ALL, field: 'port', interval: size(0.00001) }, EVERYTHING), refused);
  });
}

async function counts(
  things: Collection<StoredDocument>,
  request: Omit<HistogramRequest, 'query'> & Partial<HistogramRequest>,
): Promise<[number, number][]> {
  const buckets = await things.histogram({ ...ALL, ...request }, EVERYTHING);
  return buckets.map(({ key, count }) => [key, count]);
}
