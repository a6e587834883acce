import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTimestamp } from './timestamp.ts';

describe('readTimestamp', () => {
  const times: readonly (readonly [given: unknown, read: string | undefined])[] = [
    ['2024-03-04T05:06:07Z', '2024-03-04T05:06:07Z'],
    ['2024-03-04 05:06:07+00:00', '2024-03-04T05:06:07Z'],
    ['2024-03-04T05:06:07.1234567+02:00', '2024-03-04T05:06:07.123456+02:00'],
    ['2024-03-04T05:06:07.120', '2024-03-04T05:06:07.120000'],
    ['2024-03-04T05:06', '2024-03-04T05:06:00'],
    ['2024-03-04', '2024-03-04T00:00:00'],
    [1_709_528_767, '2024-03-04T05:06:07Z'],
    ['1709528767', '2024-03-04T05:06:07Z'],
    [1_709_528_767_250, '2024-03-04T05:06:07.250000Z'],
    ['2024-02-30T00:00:00Z', undefined],
    ['2024-03-04T24:00:00Z', undefined],
    ['yesterday', undefined],
    [1e300, undefined],
    [Number.NaN, undefined],
    [true, undefined],
  ];
  for (const [given, read] of times) {
    it(`reads ${String(given)} as ${read ?? 'no time'}`, () => assert.equal(readTimestamp(given), read));
  }
});
