import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RowCache } from './row-cache.ts';

const rowsOf = (page: number) => Array.from({ length: 100 }, (_, index) => page * 100 + index);

it('asks once for the pages in sight', () => {
  const cache = new RowCache<number>();
  assert.deepEqual(
    cache.missing(95, 130).map(({ offset, rows }) => [offset, rows]),
    [
      [0, 100],
      [100, 100],
    ],
  );
  assert.deepEqual(cache.missing(95, 130), []);
  cache.put(0, rowsOf(0));
  cache.failed(1);
  assert.deepEqual(
    cache.missing(95, 130).map(({ page }) => page),
    [1],
  );
  assert.equal(cache.rowAt(95), 95);
  assert.equal(cache.rowAt(130), undefined);
});

it('keeps 2,000 rows of 100,000, the nearest', () => {
  const cache = new RowCache<number>();
  for (let page = 0; page < 1000; page += 1) {
    cache.put(page, rowsOf(page));
    assert.ok(cache.size <= 2_000);
    assert.equal(cache.rowAt(page * 100 + 7), page * 100 + 7);
  }
  assert.equal(cache.rowAt(98_100), 98_100);
  assert.equal(cache.rowAt(0), undefined);
});

it('replaces a row, and tells that it changed', () => {
  const cache = new RowCache<{ id: number; name: string }>();
  cache.put(0, [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ]);
  const before = cache.version;
  assert.ok(
    cache.replace(
      ({ id }) => id === 2,
      (row) => ({ ...row, name: 'c' }),
    ),
  );
  assert.equal(cache.rowAt(1)?.name, 'c');
  assert.ok(cache.version > before);
  assert.equal(
    cache.replace(
      ({ id }) => id === 9,
      (row) => row,
    ),
    false,
  );
  cache.clear();
  assert.equal(cache.size, 0);
});
