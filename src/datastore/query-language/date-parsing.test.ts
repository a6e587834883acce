import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseDate, parseDateMath } from './date-parsing.ts';

const NOW = new Date('2026-03-18T14:30:15.250Z');

/** Text, earliest and latest time that it stands for. */
const DATES: readonly (readonly [string, string, string])[] = [
  ['2026', '2026-01-01T00:00:00.000Z', '2026-01-01T23:59:59.999Z'],
  ['2026-02', '2026-02-01T00:00:00.000Z', '2026-02-01T23:59:59.999Z'],
  ['2026-1-5', '2026-01-05T00:00:00.000Z', '2026-01-05T23:59:59.999Z'],
  ['2026-01-15T10', '2026-01-15T10:00:00.000Z', '2026-01-15T10:59:59.999Z'],
  ['2026-01-15T10:11', '2026-01-15T10:11:00.000Z', '2026-01-15T10:11:59.999Z'],
  ['2026-01-15T10:11:12', '2026-01-15T10:11:12.000Z', '2026-01-15T10:11:12.999Z'],
  ['2026-01-15T10:11:12.12', '2026-01-15T10:11:12.120Z', '2026-01-15T10:11:12.120Z'],
  ['2026-01-15T10:11:12,123456789Z', '2026-01-15T10:11:12.123Z', '2026-01-15T10:11:12.123Z'],
  ['2026-01-15T10:11:12+02:00', '2026-01-15T08:11:12.000Z', '2026-01-15T08:11:12.999Z'],
  ['2026-01-15T10:11:12-0530', '2026-01-15T15:41:12.000Z', '2026-01-15T15:41:12.999Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
  ['0001', '0001-01-01T00:00:00.000Z', '0001-01-01T23:59:59.999Z'],
  ['-1', '-000001-01-01T00:00:00.000Z', '-000001-01-01T23:59:59.999Z'],
  ['1768471872123', '2026-01-15T10:11:12.123Z', '2026-01-15T10:11:12.123Z'],
  ['-1768471872123.5', '1913-12-17T13:48:47.876Z', '1913-12-17T13:48:47.876Z'],
];

const NO_DATES = [
  '',
  ' ',
  'yesterday',
  '2026-13-01',
  '2026-02-30',
  '2025-02-29',
  '2026-00-01',
  '15-01-2026',
  '2026/01/15',
  '2026-01-15 10:11',
  '2026-W03',
  '2026-01-15T24:00',
  '2026-01-15T10:60',
  '2026-01-15T10Z',
  '2026-01-15T10:11:12 Z',
  '2026-01-15T10:11:12+18:01',
  '+2026',
  '2026-01-15T10:11:12z',
];

/** Text, rounded down, rounded up. */
const MATH: readonly (readonly [string, string, string])[] = [
  ['now', '2026-03-18T14:30:15.250Z', '2026-03-18T14:30:15.250Z'],
  ['now-1d', '2026-03-17T14:30:15.250Z', '2026-03-17T14:30:15.250Z'],
  ['now-7d/d', '2026-03-11T00:00:00.000Z', '2026-03-11T23:59:59.999Z'],
  ['now/w', '2026-03-16T00:00:00.000Z', '2026-03-22T23:59:59.999Z'],
  ['now/M', '2026-03-01T00:00:00.000Z', '2026-03-31T23:59:59.999Z'],
  ['now/y', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ['now/H', '2026-03-18T14:00:00.000Z', '2026-03-18T14:59:59.999Z'],
  ['2026-01-31||+1M', '2026-02-28T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
  ['2024-02-29||+1y', '2025-02-28T00:00:00.000Z', '2025-02-28T00:00:00.000Z'],
  ['2026-01-15||-13M', '2024-12-15T00:00:00.000Z', '2024-12-15T00:00:00.000Z'],
  ['2026-01-15||+10h+30m+15s', '2026-01-15T10:30:15.000Z', '2026-01-15T10:30:15.000Z'],
  ['2026-01-01||+d', '2026-01-02T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
  ['2026-01-01||', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ['1969-12-28||/w', '1969-12-22T00:00:00.000Z', '1969-12-28T23:59:59.999Z'],
];

describe('parseDate', () => {
  for (const [text, first, last] of DATES) {
    it(`reads ${text}`, () => {
      assert.equal(iso(parseDate(text)), first);
      assert.equal(iso(parseDate(text, { roundUp: true })), last);
    });
  }

  it('refuses what is not a date', () => {
    for (const text of NO_DATES) assert.equal(parseDate(text), undefined, text);
  });

  it('takes a day that the month does not have for its last one when it rounds up', () => {
    for (const [text, last] of [
      ['2026-02-30', '2026-02-28T23:59:59.999Z'],
      ['2024-02-31', '2024-02-29T23:59:59.999Z'],
      ['2026-04-31T10', '2026-04-30T10:59:59.999Z'],
    ] as const) {
      assert.equal(parseDate(text), undefined);
      assert.equal(iso(parseDate(text, { roundUp: true })), last);
      assert.equal(parseDateMath(`${text}||/d`, NOW, { roundUp: true }), 'not_a_date');
    }
    for (const text of ['2026-02-32', '2026-02-00', '2026-13-01'])
      assert.equal(parseDate(text, { roundUp: true }), undefined);
  });

  it('reads what a Date writes', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0000-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => {
          assert.equal(parseDate(date.toISOString()), date.getTime());
          assert.equal(parseDate(date.toISOString(), { roundUp: true }), date.getTime());
        },
      ),
    );
  });

  it('keeps to what a Date can hold', () => {
    assert.equal(parseDate('999999999'), 8.64e15);
    assert.equal(parseDate('-999999999'), -8.64e15);
    assert.ok(Number(parseDateMath('now-999999999y', NOW)) < -8.6e15);
  });
});

describe('parseDateMath', () => {
  for (const [text, down, up] of MATH) {
    it(`reads ${text}`, () => {
      assert.equal(iso(parseDateMath(text, NOW)), down);
      assert.equal(iso(parseDateMath(text, NOW, { roundUp: true })), up);
    });
  }

  it('tells a bad date from bad date math', () => {
    for (const text of ['foo', 'foo||+1d', '||+1d', '2026-01-01 ||+1d', 'NOW'])
      assert.equal(parseDateMath(text, NOW), 'not_a_date', text);
    for (const text of [
      'now+',
      'now+1',
      'now/2d',
      'nowhere',
      'now ',
      '2026-01-01||+1q',
      '2026-01-01||1d',
      '2026-01-01||||+1d',
    ]) {
      assert.equal(parseDateMath(text, NOW), 'bad_date_math', text);
    }
  });

  it('rounds to a period that holds the time', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date(-1e14), max: new Date(1e14) }),
        fc.constantFrom(...'yMwdhms'),
        (date, unit) => {
          const first = Number(parseDateMath(`now/${unit}`, date));
          const last = Number(parseDateMath(`now/${unit}`, date, { roundUp: true }));
          assert.ok(first <= date.getTime() && date.getTime() <= last);
          assert.equal(parseDateMath(`now/${unit}`, new Date(last + 1)), last + 1);
        },
      ),
    );
  });
});

function iso(time: number | string | undefined): string {
  return typeof time === 'number' ? new Date(time).toISOString() : String(time);
}
