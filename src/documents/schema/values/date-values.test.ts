import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastCheck from 'fast-check';
import { formatDate, readDate, UnreadableDate } from './date-values.ts';

const now = new Date('2026-01-02T03:04:05.678Z');

describe('readDate', () => {
  const read: [unknown, string][] = [
    ['NOW', '2026-01-02T03:04:05.678000Z'],
    ['2025-01-05', '2025-01-05T00:00:00.000000Z'],
    ['2025/1/5', '2025-01-05T00:00:00.000000Z'],
    ['20250105', '2025-01-05T00:00:00.000000Z'],
    ['2025-005', '2025-01-05T00:00:00.000000Z'],
    ['2025-02', '2025-02-01T00:00:00.000000Z'],
    ['2025', '2025-01-01T00:00:00.000000Z'],
    ['2025-W01', '2024-12-30T00:00:00.000000Z'],
    ['2026-W53-5', '2027-01-01T00:00:00.000000Z'],
    ['(2025-01-05)', '2025-01-05T00:00:00.000000Z'],
    ['2025-01-05T10', '2025-01-05T10:00:00.000000Z'],
    ['2025-01-05 10:00', '2025-01-05T10:00:00.000000Z'],
    ['20250105T100000+0100', '2025-01-05T09:00:00.000000Z'],
    ['2025-01-05T10:00:00+02:00', '2025-01-05T08:00:00.000000Z'],
    ['2025-01-05T10:00:00-0530', '2025-01-05T15:30:00.000000Z'],
    ['2025-01-05T10:00:00.123456Z', '2025-01-05T10:00:00.123456Z'],
    ['2025-01-05T10:00:00.1234567Z', '2025-01-05T10:00:00.123457Z'],
    ['2025-01-05T10:00:00.1234565Z', '2025-01-05T10:00:00.123456Z'],
    ['2025-01-05T10:00:00.1234575Z', '2025-01-05T10:00:00.123458Z'],
    ['2025-12-31T23:59:59.9999999Z', '2026-01-01T00:00:00.000000Z'],
    ['2025-01-05T10:00:00,5', '2025-01-05T10:00:00.500000Z'],
    ['2025-01-05T24:00:00', '2025-01-06T00:00:00.000000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000000Z'],
    [0, '1970-01-01T00:00:00.000000Z'],
    [-1.5, '1969-12-31T23:59:58.500000Z'],
    [1_700_000_000, '2023-11-14T22:13:20.000000Z'],
    [1_700_000_000_123, '2023-11-14T22:13:20.123000Z'],
    [1_700_000_000_123_456, '2023-11-14T22:13:20.123456Z'],
  ];
  for (const [value, text] of read) {
    it(`reads ${value} as ${text}`, () => assert.equal(readDate(value, now), text));
  }

  const refused: [unknown, RegExp][] = [
    [
      'yesterday',
      /^Could not match input 'yesterday' to any of the following formats: YYYY-MM-DD, YYYY-M-DD, .*, W\.$/,
    ],
    ['2025-01-05T10:00:00 Z', /^Expected an ISO 8601-like string, but was given '2025-01-05T10:00:00 Z'\./],
    ['2025-01-05T', /^Invalid time component provided\./],
    ['5/1/2025T10:00:00Z', /formats: YYYY-MM-DDTHH:mm:ssZ, /],
    ['2025-13-01', /^month must be in 1\.\.12$/],
    ['2025-02-29', /^day is out of range for month$/],
    ['2025-01-05T25:00:00', /^hour must be in 0\.\.23$/],
    ['2025-01-05T10:60:00', /^minute must be in 0\.\.59$/],
    ['2025-01-05T10:00:00+24:00', /offset \+24:00 is not below 24 hours/],
    ['0000-01-01', /^year 0 is out of range$/],
    ['9999-12-31T23:59:59-05:00', /^date value out of range$/],
    ['2025-366', /^The provided day of year '366' is invalid\.$/],
    ['2025-W54', /week value must be between 1-53/],
    ['', /^Could not match input ''/],
    [1e18, /too large/],
    [-1e15, /out of range/],
    [true, /^Cannot parse single argument of type <class 'bool'>\.$/],
    [{}, /<class 'dict'>/],
  ];
  for (const [value, message] of refused) {
    it(`refuses ${JSON.stringify(value)}`, () => {
      assert.throws(
        () => readDate(value, now),
        (error) => error instanceof UnreadableDate && message.test(error.message),
      );
    });
  }

  it('takes no longer for long texts than their length allows', () => {
    const started = performance.now();
    for (const text of [
      '1'.repeat(200_000),
      `${'('.repeat(200_000)}2025`,
      `2025-01-05T10:00:00.${'1'.repeat(200_000)}x`,
    ]) {
      assert.throws(() => readDate(text, now), UnreadableDate);
    }
    assert.ok(performance.now() - started < 5000);
  });
});

describe('formatDate', () => {
  it('writes microseconds', () => assert.equal(formatDate(now), '2026-01-02T03:04:05.678000Z'));

  it('reads times as JavaScript writes them like the same with more digits, and refuses the same ones', () => {
    const digits = (length: number) =>
      fastCheck.integer({ min: 0, max: 10 ** length - 1 }).map((n) => `${n}`.padStart(length, '0'));
    const parts = fastCheck.tuple(digits(4), digits(2), digits(2), digits(2), digits(2), digits(2), digits(3));
    const likely = fastCheck.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') });
    const text = fastCheck.oneof(
      likely.map((date) => date.toISOString()),
      parts.map(
        ([year, month, day, hour, minute, second, rest]) =>
          `${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z`,
      ),
    );
    const outcome = (given: string) => {
      try {
        return readDate(given, now);
      } catch (error) {
        return String(error);
      }
    };
    fastCheck.assert(
      fastCheck.property(text, (given) => {
        const longer = given.replace('Z', '000Z');
        assert.equal(outcome(given).replace(longer, given), outcome(longer).replace(longer, given));
      }),
      { numRuns: 2000 },
    );
  });
});
