import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDuration, formatRelative, formatTime, readTime, zoneName } from './date-format.ts';

const MOMENT = new Date('2026-10-30T04:39:16.123Z');
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('times of the services', () => {
  const same = [
    '2026-10-30T04:39:16.123456Z',
    '2026-10-30T04:39:16.123',
    '2026-10-30 04:39:16.123 UTC',
    '2026-10-30T00:39:16.123-04:00',
    '2026-10-30T06:39:16.123+0200',
    '2026-10-30T06:39:16.123+02',
    1_793_335_156.123,
    1_793_335_156_123,
    '1793335156123',
    MOMENT,
  ];
  for (const raw of same) {
    it(`reads ${raw}`, () => assert.equal(readTime(raw)?.toISOString(), MOMENT.toISOString()));
  }

  it('reads RFC 1123, and days', () => {
    assert.equal(readTime('Fri, 30 Oct 2026 04:39:16 GMT')?.toISOString(), '2026-10-30T04:39:16.000Z');
    assert.equal(readTime('2026-10-30')?.toISOString(), '2026-10-30T00:00:00.000Z');
    assert.equal(readTime(0)?.getTime(), 0);
  });

  it('reads nothing out of anything else', () => {
    const bad = [
      null,
      undefined,
      '',
      'now',
      '12',
      '2026',
      '2026-13-45',
      '2026-10-30T99:00',
      Number.NaN,
      1e300,
      'x'.repeat(1e6),
    ];
    for (const raw of bad) assert.equal(readTime(raw), undefined);
  });
});

describe('times on the page', () => {
  it('are written in one order of digits', () => {
    assert.equal(formatTime(MOMENT, 'utc'), '2026-10-30 04:39:16');
    assert.equal(formatTime(MOMENT, 'utc', 'minute'), '2026-10-30 04:39');
    assert.equal(formatTime(MOMENT, 'utc', 'millisecond'), '2026-10-30 04:39:16.123');
    assert.equal(formatTime(MOMENT, 'utc', 'day'), '2026-10-30');
    assert.equal(formatTime(new Date(8.64e15), 'utc', 'day'), '+275760-09-13');
  });

  it('follow the zone of the reader', () => {
    const local = formatTime(MOMENT, 'local');
    const [year, month, day] = [MOMENT.getFullYear(), MOMENT.getMonth() + 1, MOMENT.getDate()];
    assert.ok(local.startsWith(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')} `));
    assert.equal(zoneName(MOMENT, 'en', 'utc'), 'UTC');
  });

  it('are told by their distance', () => {
    const ago = (milliseconds: number) => formatRelative(new Date(MOMENT.getTime() - milliseconds), MOMENT, 'en');
    assert.equal(ago(0), 'now');
    assert.equal(ago(45_000), '45 sec. ago');
    assert.equal(ago(3_599_000), '59 min. ago');
    assert.equal(ago(86_400_000), 'yesterday');
    assert.equal(ago(-2 * 86_400_000), 'in 2 days');
    assert.equal(plain(formatRelative(new Date(MOMENT.getTime() - 300_000), MOMENT, 'fr')), 'il y a 5 min');
  });

  it('have lengths', () => {
    assert.equal(formatDuration(120, 'en'), '120 ms');
    assert.equal(formatDuration(45_000, 'en'), '45 s');
    assert.equal(formatDuration(3_600_000, 'en'), '1 h');
    assert.equal(formatDuration(2 * 86_400_000 + 3 * 3_600_000 + 59_000, 'fr'), '2 j 3 h');
    assert.equal(formatDuration(-61_500, 'en'), '−1 min 1 s');
    assert.equal(formatDuration(86_400_000 + 59_000, 'en'), '1 d');
  });
});
