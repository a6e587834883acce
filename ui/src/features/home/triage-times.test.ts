import assert from 'node:assert/strict';
import { it } from 'node:test';
import { triageTimes } from './triage-times.ts';

const minute = 60_000;
const pair = (minutes: number) =>
  ['2026-01-01T00:00:00Z', new Date(Date.parse('2026-01-01') + minutes * minute).toISOString()] as const;

it('finds median and 90th percentile, and leaves out what is no time', () => {
  const pairs = [...[5, 1, 3, 2, 4, 6, 7, 8, 9, 10].map(pair), ['x', undefined] as const, pair(-5)];
  assert.deepEqual(triageTimes(pairs), { count: 10, median: 6 * minute, p90: 10 * minute });
  assert.equal(triageTimes([]), undefined);
  assert.equal(triageTimes([['', '']]), undefined);
});
