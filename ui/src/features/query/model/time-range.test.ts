import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
    { kind: 'dates', from: 'now/w', to: 'now/w' },
    { kind: 'dates', from: '2026-01||/M', to: '2026-01||/M' },
    { kind: 'dates', from: '2026-01||/d', to: '2026-01||/d' },
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

describe('a day, month or year', () => {
  for (const typed of ['today', 'yesterday', '2026', '2026-01', '2026-01-15']) {
    it(`is written as it was typed: ${typed}`, () => {
      const range = readTimeRange(typed);
      assert.ok(range !== 'not_a_range');
      assert.equal(writeTimeRange(range), typed);
    });
  }
});

describe('time ranges of a search that continues', () => {
  it('end at the moment of the search', () => {
    const later = { ...context, ago: 90 };
    assert.equal(timeQuery(lastRange('7d'), 't', later), 't:[now-90s-7d TO now-90s]');
    assert.equal(timeQuery({ kind: 'dates', from: 'now/d', to: 'now/d' }, 't', later), 't:[now-90s/d TO now-90s/d]');
    assert.equal(timeQuery({ kind: 'dates', from: '2026-01-01' }, 't', later), 't:[2026-01-01 TO *]');
  });
});

describe('time ranges in the zone of the reader', () => {
  const zoneOfTests = process.env.TZ;
  before(() => {
    process.env.TZ = 'America/Toronto';
  });
  after(() => {
    if (zoneOfTests === undefined) delete process.env.TZ;
    else process.env.TZ = zoneOfTests;
  });
  // Two days before, the clocks went from UTC-5 to UTC-4.
  const reader = { ...context, zone: 'local' } as const;

  for (const [typed, from, to] of [
    ['today', '2026-03-10T04:00:00.000Z', '2026-03-11T03:59:59.999Z'],
    ['yesterday', '2026-03-09T04:00:00.000Z', '2026-03-10T03:59:59.999Z'],
    ['now-2d/d..now-2d/d', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ['now/w..now/w', '2026-03-09T04:00:00.000Z', '2026-03-16T03:59:59.999Z'],
    ['2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ['2026-02', '2026-02-01T05:00:00.000Z', '2026-03-01T04:59:59.999Z'],
    ['2026-02-01T10:00..2026-02-01T11:00', '2026-02-01T15:00:00.000Z', '2026-02-01T16:00:59.999Z'],
    ['2026-02-01T10:00:00Z..2026-02-01T12:00:00+01:00', '2026-02-01T10:00:00.000Z', '2026-02-01T11:00:00.999Z'],
    ['7d', '2026-03-03T12:30:00.000Z', '2026-03-10T12:30:00.000Z'],
  ] as const) {
    it(`begin there: ${typed}`, () => {
      const range = readTimeRange(typed);
      assert.ok(range !== 'not_a_range');
      const times = timesOf(range, reader);
      assert.deepEqual([isoOf(times.from), isoOf(times.to)], [from, to]);
    });
  }

  it('stay relative to now', () => {
    const query = timeQuery({ kind: 'dates', from: 'now/d', to: 'now/d' }, 't', reader);
    assert.equal(query, 't:[now-240m/d+240m TO now-240m/d+240m]');
    assert.equal(timeQuery(lastRange('7d'), 't', reader), 't:[now-7d TO now]');
    const later = timeQuery({ kind: 'dates', from: 'now/d', to: 'now/d' }, 't', { ...reader, ago: 5 });
    assert.equal(later, 't:[now-5s-240m/d+240m TO now-5s-240m/d+240m]');
  });
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
