import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soughtValue } from './sought-value.ts';
import { TimelyParts } from './timely-parts.ts';

const FIELDS = [{ path: 'name', kind: 'keyword' }] as const;
const SOUGHT = Array.from({ length: 10 }, (_, index) =>
  soughtValue({ type: 'userid', value: `v${index}` }, FIELDS),
).filter((one) => one !== undefined);
const LIMITS = { terms: 3, characters: 1_000 };

describe('parts of a lookup', () => {
  it('are all worked on when there is time', () => {
    const parts = new TimelyParts(LIMITS, { deadline: Number.POSITIVE_INFINITY });
    assert.deepEqual(
      [...parts.of(SOUGHT)].map((part) => part.map(({ selector }) => selector.value)),
      [['v0', 'v1', 'v2'], ['v3', 'v4', 'v5'], ['v6', 'v7', 'v8'], ['v9']],
    );
    assert.equal(parts.left.size, 0);
  });

  it('end before the deadline: the next may take longer than the longest', () => {
    let time = 0;
    const parts = new TimelyParts(LIMITS, { deadline: 1_200 }, () => time);
    let worked = 0;
    for (const part of parts.of(SOUGHT)) {
      worked += part.length;
      time += 400;
    }
    assert.deepEqual([worked, parts.left.size], [6, 4]);
  });

  it('include the first, however little time there is', () => {
    const parts = new TimelyParts(LIMITS, { deadline: 0 }, () => 1_000);
    assert.equal([...parts.of(SOUGHT.slice(0, 3))].length, 1);
  });

  it('divide by characters, counting each path once', () => {
    const parts = new TimelyParts({ terms: 100, characters: 12 + 3 * 8 }, { deadline: Number.POSITIVE_INFINITY });
    assert.deepEqual(
      [...parts.of(SOUGHT)].map((part) => part.length),
      [3, 3, 3, 1],
    );
  });
});
