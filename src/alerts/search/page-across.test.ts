import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PageSource, pageAcross } from './page-across.ts';

/** A collection of so many documents. */
function sourceOf(name: string, size: number): PageSource {
  return {
    count: async () => size,
    page: async (cursor, rows) => {
      const from = cursor === '*' ? 0 : Number(cursor);
      const ids = Array.from({ length: Math.min(rows, size - from) }, (_, index) => `${name}${from + index}`);
      const items = ids.map((id) => ({ id, collection: name, document: {} }));
      const more = ids.length > 0 && ids.length === rows;
      return { items, total: size, offset: 0, ...(more ? { nextCursor: String(from + ids.length) } : {}) };
    },
  };
}

async function readAll(sources: readonly PageSource[], rows: number) {
  const pages: string[][] = [];
  let cursor: string | undefined = '*';
  while (cursor !== undefined) {
    const page: Awaited<ReturnType<typeof pageAcross>> = await pageAcross(sources, cursor, rows);
    pages.push(page.items.map((item) => item.id));
    cursor = page.nextCursor;
  }
  return pages;
}

describe('pages of several collections', () => {
  it('hold every document once, and are full while more follows', async () => {
    for (const sizes of [[5, 4, 0, 3], [0, 0], [10], [3, 3, 3], [0, 7]]) {
      const sources = sizes.map((size, index) => sourceOf('abcd'.charAt(index), size));
      for (const rows of [1, 2, 3, 4, 7, 100]) {
        const pages = await readAll(sources, rows);
        const ids = pages.flat();
        const size = sizes.reduce((sum, one) => sum + one, 0);
        assert.equal(new Set(ids).size, size, `${sizes} by ${rows}`);
        assert.equal(ids.length, size);
        for (const page of pages.slice(0, -1)) assert.equal(page.length, rows, `${sizes} by ${rows}`);
      }
    }
  });

  it('tell the total of all from the first page on', async () => {
    const sources = [sourceOf('a', 3), sourceOf('b', 4)];
    const first = await pageAcross(sources, '*', 2);
    const second = await pageAcross(sources, first.nextCursor ?? '', 2);
    assert.deepEqual([first.total, second.total], [7, 7]);
  });

  it('start over only with a star', async () => {
    await assert.rejects(pageAcross([sourceOf('a', 1)], 'bogus', 2), { code: 'unknown_cursor' });
  });
});
