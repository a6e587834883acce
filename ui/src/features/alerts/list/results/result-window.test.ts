import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MAX_OFFSET_ROWS,
  MAX_ROWS_KEPT,
  PAGE_ROWS,
  type ResultSource,
  ResultWindow,
  type Stretch,
} from './result-window.ts';

const TOTAL = 25_000;

/** Opens a window on the numbers below a total, in order. */
function windowOf(total = TOTAL, overrides: Partial<ResultSource<number>> = {}) {
  const asked: Stretch[] = [];
  const window = new ResultWindow<number>(
    {
      async read(stretch, signal) {
        asked.push(stretch);
        await Promise.resolve();
        signal.throwIfAborted();
        assert.ok(stretch.offset + stretch.rows <= MAX_OFFSET_ROWS);
        const first = stretch.offset + Number(stretch.filter ?? 0);
        const count = Math.max(0, Math.min(stretch.rows, total - first));
        return {
          items: Array.from({ length: count }, (_, offset) => first + offset),
          total: total - Number(stretch.filter ?? 0),
        };
      },
      locate: async (index) => ({ filter: String(index - 7), offset: 7 }),
      ...overrides,
    },
    () => {},
  );
  return { window, asked };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('ResultWindow', () => {
  it('reads the pages in sight, each once', async () => {
    const { window, asked } = windowOf();
    window.show(0, 40);
    await settled();
    window.show(10, 50);
    assert.deepEqual(asked, [{ filter: undefined, offset: 0, rows: PAGE_ROWS }]);
    assert.equal(window.total, TOTAL);
    assert.equal(window.rowAt(50), 50);
    assert.equal(window.rowAt(100), undefined);
    window.show(90, 130);
    await settled();
    assert.equal(window.rowAt(130), 130);
    assert.equal(asked.length, 2);
  });

  it('reads the page before and after those in sight when they are near, and no other', async () => {
    const { window } = windowOf(300);
    window.show(0, PAGE_ROWS - 1);
    await settled();
    assert.equal(window.kept, 100, 'the first search reads one page');
    window.show(0, 69);
    await settled();
    assert.equal(window.kept, 100);
    window.show(30, 70);
    await settled();
    assert.equal(window.rowAt(100), 100);
    window.show(271, 299);
    await settled();
    assert.equal(window.rowAt(299), 299);
    assert.equal(window.kept, 300);
    const other = windowOf();
    other.window.show(230, 260);
    await settled();
    assert.equal(other.window.kept, 100);
    other.window.show(229, 259);
    await settled();
    assert.equal(other.window.rowAt(199), 199);
  });

  it('goes beyond the reach of offsets by a place on the sort field', async () => {
    const { window, asked } = windowOf();
    window.show(0, 10);
    await settled();
    window.show(20_040, 20_060);
    await settled();
    assert.equal(window.rowAt(20_050), 20_050);
    assert.equal(window.total, TOTAL, 'the total of the rest is not that of the result');
    assert.deepEqual(asked.at(-1), { filter: '19993', offset: 7, rows: PAGE_ROWS });
  });

  it('shows no rows where the place cannot be found', async () => {
    const { window } = windowOf(TOTAL, { locate: async () => undefined });
    window.show(12_000, 12_010);
    await settled();
    assert.equal(window.rowAt(12_000), undefined);
    assert.equal(window.problem, undefined);
  });

  it('cancels pages that have left the screen', async () => {
    const { window, asked } = windowOf();
    window.show(0, 10);
    window.show(5000, 5010);
    await settled();
    assert.equal(asked.length, 2);
    assert.equal(window.rowAt(0), undefined);
    assert.equal(window.rowAt(5000), 5000);
  });

  it('keeps a bounded number of rows, those in sight among them', async () => {
    const { window } = windowOf();
    for (let first = 0; first < 9_000; first += PAGE_ROWS) {
      window.show(first, first + 30);
      await settled();
      assert.ok(window.kept <= MAX_ROWS_KEPT);
      assert.equal(window.rowAt(first), first);
    }
    assert.equal(window.rowAt(0), undefined);
    window.show(0, 30);
    await settled();
    assert.equal(window.rowAt(0), 0);
  });

  it('keeps the rows after a failure and reads again on demand', async () => {
    let fails = true;
    const { window } = windowOf(TOTAL, {
      read: async ({ offset }) => {
        if (offset > 0 && fails) throw new Error('no');
        return { items: [offset], total: TOTAL };
      },
    });
    window.show(0, 10);
    await settled();
    window.show(90, 110);
    await settled();
    assert.match(String(window.problem), /no/);
    assert.equal(window.rowAt(0), 0);
    fails = false;
    window.retry();
    await settled();
    assert.equal(window.problem, undefined);
    assert.equal(window.rowAt(100), 100);
  });

  it('asks for nothing beyond the end', async () => {
    const { window, asked } = windowOf(30);
    window.show(0, 30);
    await settled();
    window.show(0, 500);
    assert.equal(asked.length, 1);
  });
});
