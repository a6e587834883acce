import assert from 'node:assert/strict';
import { it } from 'node:test';
import { axisLabels, rangeOf, stacked, wholeBars } from './histogram.ts';

const BUCKETS = [
  { start: 0, counts: { open: 1, resolved: 2 } },
  { start: 100, counts: { open: 3 } },
  { start: 200, counts: {} },
];

it('puts series on top of each other', () => {
  assert.deepEqual(stacked(BUCKETS, ['open', 'resolved']), [
    [1, 3, 0],
    [3, 3, 0],
  ]);
  assert.deepEqual(stacked([], ['open']), [[]]);
});

it('covers whole bars', () => {
  assert.deepEqual(rangeOf(BUCKETS, 1, 0, 50), { from: 0, to: 200 });
  assert.deepEqual(rangeOf(BUCKETS.slice(0, 1), 0, 0, 50), { from: 0, to: 50 });
  assert.equal(rangeOf(BUCKETS, 0, 7, 50), undefined);
  assert.deepEqual(wholeBars(BUCKETS, 120, 130, 50), { from: 100, to: 200 });
  assert.deepEqual(wholeBars(BUCKETS, 99, 201, 50), { from: 0, to: 300 });
  assert.equal(wholeBars(BUCKETS, 900, 950, 50), undefined);
});

it('names the day where it begins', () => {
  const hours = [0, 6, 12, 18, 24].map((hour) => Date.UTC(2026, 9, 30, hour) / 1000);
  assert.deepEqual(axisLabels(hours, 21_600, 'utc'), [
    '00:00\n2026-10-30',
    '06:00',
    '12:00',
    '18:00',
    '00:00\n2026-10-31',
  ]);
  assert.deepEqual(axisLabels(hours.slice(0, 1), 86_400, 'utc'), ['10-30']);
});
