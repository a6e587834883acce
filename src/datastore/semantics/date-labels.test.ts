import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dateLabel } from './date-labels.ts';
import { timeZone } from './time-zone.ts';

const TIME = Date.parse('2026-01-05T09:08:07.065Z');

describe('labels of dates', () => {
  const cases: readonly [string | undefined, string, string][] = [
    [undefined, 'UTC', '2026-01-05T09:08:07.065Z'],
    [undefined, 'America/Toronto', '2026-01-05T04:08:07.065-05:00'],
    ['epoch_millis', 'UTC', String(TIME)],
    ['epoch_second', 'UTC', String(TIME / 1000)],
    ['yyyy-MM', 'UTC', '2026-01'],
    ["dd/MM/yy 'at' HH:mm:ss.SSS", 'UTC', '05/01/26 at 09:08:07.065'],
    ['EEE d MMM uuuu h a', 'Asia/Tokyo', 'Mon 5 Jan 2026 6 PM'],
    ['EEEE MMMM D', 'UTC', 'Monday January 5'],
    ["HH''mm XXX", '+05:30', "14'38 +05:30"],
    ['yyyy-MM-dd||epoch_millis', 'UTC', '2026-01-05'],
  ];
  for (const [format, zone, label] of cases) {
    it(`are ${label} for ${format ?? 'no format'} in ${zone}`, () => {
      assert.equal(dateLabel(format)(TIME, timeZone(zone)), label);
    });
  }

  it('refuse letters that mean nothing', () => {
    assert.throws(() => dateLabel('jj'), { code: 'invalid_format' });
    assert.throws(() => dateLabel("yyyy 'open"), { code: 'invalid_format' });
  });
});
