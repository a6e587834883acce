import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readHistogramRange } from './histogram-range.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const NOTHING = { start: undefined, end: undefined, gap: undefined };

describe('the range of a histogram', () => {
  it('is the last day by the hour, or 0 to 2000 by 100, unless said otherwise', () => {
    assert.deepEqual(readHistogramRange('date', NOTHING, now), {
      start: now.getTime() - 86_400_000,
      end: now.getTime(),
      endRoundedUp: now.getTime(),
      interval: { kind: 'fixed', duration: '1h' },
    });
    assert.deepEqual(readHistogramRange('number', NOTHING, now), {
      start: 0,
      end: 2000,
      endRoundedUp: 2000,
      interval: { kind: 'number', size: 100 },
    });
  });

  it('includes the whole day that its end names', () => {
    const range = readHistogramRange('date', { start: '2026-03-01', end: '2026-03-03', gap: '1d' }, now);
    assert.equal(range.end, Date.parse('2026-03-03T00:00:00.000Z'));
    assert.equal(range.endRoundedUp, Date.parse('2026-03-03T23:59:59.999Z'));
  });

  it('reads whole numbers as text too, and as milliseconds for dates', () => {
    const range = readHistogramRange('date', { start: '1', end: 5, gap: 1 }, now);
    assert.deepEqual([range.start, range.end, range.interval], [1, 5, { kind: 'fixed', duration: '1ms' }]);
  });

  it('takes a hundred steps and no more', () => {
    assert.ok(readHistogramRange('number', { start: 0, end: 100, gap: 1 }, now));
    assert.throws(() => readHistogramRange('number', { start: 0, end: 101, gap: 1 }, now), { code: 'too_many_steps' });
    assert.throws(() => readHistogramRange('date', { ...NOTHING, start: 'now-30d' }, now), { code: 'too_many_steps' });
  });

  it('goes to the end of time', () => {
    for (const [start, end] of [
      [8.64e15 - 5, 8.64e15],
      [-8.64e15, -8.64e15 + 5],
    ]) {
      assert.equal(readHistogramRange('date', { start, end, gap: 1 }, now).end, end);
    }
  });

  it('refuses what cannot be read, steps of nothing, ends before their start', () => {
    const refused: ['number' | 'date', object][] = [
      ['date', { start: 'x', end: 'y', gap: 'z' }],
      ['date', { start: 'now', end: 'now+1d', gap: '1M' }],
      ['date', { start: 1, end: 'now', gap: '1h' }],
      ['number', { start: 'now-1d' }],
      ['number', { gap: 0 }],
      ['number', { gap: -5 }],
      ['number', { start: 10, end: 1, gap: 1 }],
      ['date', { gap: '0h' }],
      ['date', { start: 8.64e15 - 5, end: 8.64e15 + 1, gap: 1 }],
      ['date', { start: -8.64e15 - 1, end: -8.64e15, gap: 1 }],
      ['date', { start: -1, end: 0, gap: '999999999d' }],
    ];
    for (const [kind, given] of refused) {
      assert.throws(
        () => readHistogramRange(kind, { ...NOTHING, ...given }, now),
        { code: /invalid_histogram_range|too_many_steps/ },
        JSON.stringify(given),
      );
    }
  });
});
