import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DateCounts, placeOf } from './deep-place.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const signal = new AbortController().signal;

function countsOf(times: readonly number[]): DateCounts {
  return {
    bounds: async () => (times.length === 0 ? undefined : [Math.min(...times), Math.max(...times)]),
    async steps(start, end, gap) {
      const counts = new Map<number, number>();
      for (const time of times) {
        if (time < start || time > end) continue;
        const begin = Math.floor(time / gap) * gap;
        counts.set(begin, (counts.get(begin) ?? 0) + 1);
      }
      return counts;
    },
  };
}

/** Applies the place to the times, as the service would. */
function documentAt(
  times: readonly number[],
  direction: 'asc' | 'desc',
  { filter, offset }: { filter: string; offset: number },
) {
  const [, from, to] = /^t:\[(\S+) TO (\S+?)[}\]]$/.exec(filter) ?? [];
  const left = times.filter(
    (time) => (from === '*' || time >= Date.parse(from ?? '')) && (to === '*' || time < Date.parse(to ?? '')),
  );
  const sorted = left.toSorted((a, b) => (direction === 'asc' ? a - b : b - a));
  return sorted[offset];
}

describe('placeOf', () => {
  // Most of them in one hour, the others over a year.
  const times = Array.from({ length: 60_000 }, (_, index) =>
    index % 3 === 0 ? START + index * 500_000 : START + 9_000_000_000 + index * 60,
  );

  for (const direction of ['asc', 'desc'] as const) {
    it(`finds the same document as sorting would, ${direction}`, async () => {
      const sorted = times.toSorted((a, b) => (direction === 'asc' ? a - b : b - a));
      for (const index of [0, 9_900, 10_000, 23_456, 40_000, 59_999]) {
        const place = await placeOf(index, { field: 't', direction }, countsOf(times), signal);
        assert.ok(place !== undefined, `index ${index}`);
        assert.equal(documentAt(times, direction, place), sorted[index], `index ${index}`);
      }
    });
  }

  it('knows no place behind the last document, without documents, or in a second that holds too many', async () => {
    const sort = { field: 't', direction: 'desc' } as const;
    assert.equal(await placeOf(60_000, sort, countsOf(times), signal), undefined);
    assert.equal(await placeOf(0, sort, countsOf([]), signal), undefined);
    const crowd = Array.from({ length: 30_000 }, () => START);
    assert.equal(await placeOf(20_000, sort, countsOf(crowd), signal), undefined);
  });
});
