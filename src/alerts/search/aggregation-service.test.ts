import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FacetSource, mergedFacet } from './aggregation-service.ts';

/** A facet over these counts, most frequent first. */
function facetOf(counts: Readonly<Record<string, number>>): FacetSource {
  return async ({ rows = 10, include }) => {
    const wanted = Object.entries(counts).filter(([key]) => !Array.isArray(include) || include.includes(key));
    const sorted = wanted.sort(([leftKey, left], [rightKey, right]) => right - left || (leftKey < rightKey ? -1 : 1));
    const listed = sorted.slice(0, rows);
    return {
      buckets: listed.map(([key, count]) => ({ key, label: key, count })),
      other: sorted.slice(rows).reduce((sum, [, count]) => sum + count, 0),
    };
  };
}

describe('a facet over several collections', () => {
  it('adds up what each has', async () => {
    const merged = await mergedFacet([facetOf({ a: 3, b: 1 }), facetOf({ b: 4 })], { rows: 10, minCount: 1 });
    assert.deepEqual(merged, { b: 5, a: 3 });
  });

  it('counts fewer documents than asked for as none, after adding up', async () => {
    const merged = await mergedFacet([facetOf({ a: 2, b: 1 }), facetOf({ a: 1, b: 1 })], { rows: 10, minCount: 3 });
    assert.deepEqual(merged, { a: 3 });
  });

  it('finds the value that is nowhere the most frequent and everywhere second', async () => {
    const many = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${prefix}${index}`, 10]));
    const left = { ...many('l'), second: 6 };
    const right = { ...many('r'), second: 6 };
    const merged = await mergedFacet([facetOf(left), facetOf(right)], { rows: 1, minCount: 1 });
    assert.deepEqual(merged, { second: 12 });
  });

  it('is empty over nothing', async () => {
    assert.deepEqual(await mergedFacet([], { rows: 10, minCount: 1 }), {});
  });
});
