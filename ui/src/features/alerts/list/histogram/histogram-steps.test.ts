import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stepsOf } from './histogram-steps.ts';

it('cuts a range into at most 91 steps of a round length that hold both ends', () => {
  const first = Date.parse('2026-01-01T00:00:01Z');
  for (const seconds of [0, 1, 59, 3600, 86_400, 30 * 86_400, 365 * 86_400, 60 * 365 * 86_400]) {
    const last = first + seconds * 1000;
    const { start, end, gap } = stepsOf(first, last);
    assert.ok(start <= first && last < end, `${seconds} s`);
    assert.ok((end - start) / gap <= 91, `${(end - start) / gap} steps of ${seconds} s`);
    assert.equal((end - start) % gap, 0);
  }
});
