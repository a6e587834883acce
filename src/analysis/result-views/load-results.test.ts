import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import { loadResults } from './load-results.ts';

const access = unrestricted('a test');

describe('loadResults', () => {
  it('loads small results in few batches, and names those that do not exist', async () => {
    const { collection, batches } = stored(100, (index) => (index % 10 === 3 ? undefined : 'body'));
    const { results, missing } = await loadResults(collection, keysOf(100), { access });
    assert.deepEqual([results.size, missing.length], [90, 10]);
    assert.deepEqual(missing.slice(0, 2), ['key 3', 'key 13']);
    assert.deepEqual([...results.keys()].slice(0, 4), ['key 0', 'key 1', 'key 2', 'key 4']);
    assert.deepEqual(batches, [20, 80]);
  });

  it('loads large results few at a time, and none beyond the limit', async () => {
    const body = 'x'.repeat(4 * 1024 * 1024);
    const { collection, batches } = stored(200, () => body);
    const limit = 100 * 1024 * 1024;
    const { results, missing } = await loadResults(collection, keysOf(200), { access, limit });
    assert.equal(results.size, 25);
    assert.equal(results.size + missing.length, 200);
    assert.ok(
      batches.slice(1).every((count) => count <= 8),
      String(batches),
    );
    assert.ok(batches.reduce((sum, count) => sum + count, 0) <= 36, String(batches));
  });
});

function keysOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `key ${index}`);
}

function stored(_count: number, bodyOf: (index: number) => string | undefined) {
  const batches: number[] = [];
  return {
    batches,
    collection: {
      async getMany(keys: readonly string[]) {
        batches.push(keys.length);
        return keys.map((key) => {
          const body = bodyOf(Number(key.slice(4)));
          if (body === undefined) return undefined;
          return {
            result: { sections: [{ body }] },
            response: { extracted: [], supplementary: [] },
          } as never as Result;
        });
      },
    },
  };
}
