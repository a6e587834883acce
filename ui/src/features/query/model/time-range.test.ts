import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  durationOf,
  lastRange,
  rangeBetween,
  rangeProblem,
  readTimeRange,
  type TimeRange,
  timeQuery,
  timesOf,
  writeTimeRange,
} from './time-range.ts';

const now = new Date('2026-03-10T12:30:00.000Z');
const context = { now, lastVisit: '2026-03-09T17:00:00.000Z' };

describe('time ranges as strings', () => {
  const ranges: readonly (TimeRange | undefined)[] = [
    undefined,
    lastRange('15m'),
    lastRange('7d'),
    { kind: 'last_visit' },
    { kind: 'dates', from: 'now-1d/d', to: 'now-1d/d' },
    { kind: 'dates', from: '2026-01-01T00:00:00Z', to: undefined },
    { kind: 'dates', from: undefined, to: '2026-01-01||+1M/M' },
    rangeBetween(2_000, 1_000),
  ];
  for (const range of ranges) {
    it(`keep ${writeTimeRange(range) || 'all times'}`, () => {
      assert.deepEqual(readTimeRange(writeTimeRange(range)), range);
    });
  }

  for (const [typed, from, to] of [
    ['7d', '2026-03-03T12:30:00.000Z', '2026-03-10T12:30:00.000Z'],
    ['today', '2026-03-10T00:00:00.000Z', '2026-03-10T23:59:59.999Z'],
    ['yesterday', '2026-03-09T00:00:00.000Z', '2026-03-09T23:59:59.999Z'],
    ['2026-02', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    ['2025', '2025-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
    ['2026-01-15', '2026-01-15T00:00:00.000Z', '2026-01-15T23:59:59.999Z'],
    [' 2026-01-15T10:00:00Z .. 2026-01-15T11:00:00Z ', '2026-01-15T10:00:00.000Z', '2026-01-15T11:00:00.999Z'],
    ['last-visit', '2026-03-09T17:00:00.000Z', undefined],
  ] as const) {
    it(`read ${typed}`, () => {
      const range = readTimeRange(typed);
      assert.ok(range !== 'not_a_range');
      const times = timesOf(range, context);
      assert.equal(isoOf(times.from), from);
      assert.equal(isoOf(times.to), to);
    });
  }

  for (const typed of ['soon', 'now-7x', '2026-13-01', '1..2..3', '2026-01-01..tomorrow', '"', '[* TO *]']) {
    it(`refuse ${typed}`, () => assert.equal(readTimeRange(typed), 'not_a_range'));
  }
});

describe('time ranges in a query', () => {
  it('restrict the field', () => {
    assert.equal(timeQuery(lastRange('7d'), 'event.created', context), 'event.created:[now-7d TO now]');
    const until: TimeRange = { kind: 'dates', to: '2026-01-01T00:00:00Z' };
    assert.equal(timeQuery(until, 'event.created', context), 'event.created:[* TO 2026-01-01T00:00:00Z]');
  });

  it('begin at the last visit, and are all times on the first visit', () => {
    assert.equal(timeQuery({ kind: 'last_visit' }, 't', context), 't:[2026-03-09T17:00:00.000Z TO *]');
    assert.equal(timeQuery({ kind: 'last_visit' }, 't', { now }), undefined);
    assert.equal(timeQuery(undefined, 't', context), undefined);
  });

  it('that end before they begin are reported', () => {
    assert.equal(rangeProblem({ kind: 'dates', from: 'now', to: 'now-1d' }, context), 'backwards');
    assert.equal(rangeProblem(lastRange('1d'), context), undefined);
    assert.equal(rangeProblem({ kind: 'last_visit' }, context), undefined);
  });
});

describe('the duration of a range', () => {
  it('is known for the last minutes, hours and days alone', () => {
    assert.equal(durationOf(lastRange('24h')), '24h');
    assert.equal(durationOf({ kind: 'dates', from: 'now-1d/d', to: 'now' }), undefined);
    assert.equal(durationOf({ kind: 'dates', from: 'now-1d', to: 'now-1h' }), undefined);
    assert.equal(durationOf(undefined), undefined);
  });
});

function isoOf(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
