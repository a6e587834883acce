import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SearchedAlert, SearchedAlerts } from '../../../../../../src/testing/alerts/searched-alerts.ts';
import { MAX_OFFSET_ROWS, PAGE_ROWS, type Stretch } from './known-places.ts';
import { MAX_ROWS_KEPT, type ResultSource, ResultWindow } from './result-window.ts';
import { filterBehind, orderText } from './row-order.ts';

const TOTAL = 25_000;

/** Opens a window on the numbers below a total, in order. A filter is the number before the first one. */
function windowOf(total = TOTAL, overrides: Partial<ResultSource<number>> = {}) {
  const asked: Stretch[] = [];
  let changes = 0;
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
      readById: async (ids) => ids.map(Number),
      idOf: String,
      behind: (row) => String(row + 1),
      deletedRow: Number,
      locate: async (index) => ({ filter: String(index - 7), offset: 7 }),
      ...overrides,
    },
    () => {
      changes += 1;
    },
  );
  return { window, asked, changes: () => changes };
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
    // The next page is read behind the last row of this one.
    window.show(20_150, 20_160);
    await settled();
    assert.deepEqual(asked.at(-1), { filter: '20100', offset: 0, rows: PAGE_ROWS });
    assert.equal(window.rowAt(20_150), 20_150);
  });

  it('says where the place of rows cannot be found, as long as they are in sight', async () => {
    const { window, changes } = windowOf(TOTAL, { locate: async () => undefined });
    window.show(0, 10);
    await settled();
    assert.equal(window.isUnreachable, false);
    window.show(12_000, 12_010);
    await settled();
    assert.equal(window.rowAt(12_000), undefined);
    assert.equal(window.problem, undefined);
    assert.equal(window.isUnreachable, true);
    const before = changes();
    window.show(0, 10);
    assert.equal(window.isUnreachable, false);
    assert.ok(changes() > before);
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
      behind: () => undefined,
      read: async (stretch) => {
        if (stretch.offset === 100 && fails) throw new Error('no');
        return { items: Array.from({ length: 100 }, (_, at) => stretch.offset + at), total: TOTAL };
      },
    });
    window.show(0, 10);
    await settled();
    window.show(90, 210);
    await settled();
    // Another page that arrives takes nothing away of what failed.
    assert.equal(window.rowAt(200), 200);
    assert.match(String(window.problem), /no/);
    window.show(91, 211);
    await settled();
    assert.match(String(window.problem), /no/);
    assert.equal(window.rowAt(0), 0);
    fails = false;
    window.retry();
    await settled();
    assert.equal(window.problem, undefined);
    assert.equal(window.rowAt(100), 100);
  });

  it('reports nothing and changes nothing once it is closed', async () => {
    const { window, changes } = windowOf();
    window.show(0, 10);
    await settled();
    const before = changes();
    window.show(500, 510);
    window.close();
    window.update(() => -1);
    await settled();
    assert.equal(changes(), before);
    assert.equal(window.rowAt(0), 0);
  });

  it('reads the identifiers of a stretch that was never in sight, in few requests', async () => {
    const { window, asked } = windowOf();
    window.show(0, 10);
    await settled();
    const ids = await window.idsBetween(50, 12_050);
    assert.equal(ids.length, 12_001);
    assert.deepEqual([ids[0], ids.at(-1)], ['50', '12050']);
    assert.ok(asked.length < 20, `${asked.length} requests`);
    assert.ok(window.kept <= MAX_ROWS_KEPT);
    assert.deepEqual(await window.idsBetween(24_998, 30_000), ['24998', '24999']);
  });

  it('asks for nothing beyond the end', async () => {
    const { window, asked } = windowOf(30);
    window.show(0, 30);
    await settled();
    window.show(0, 500);
    assert.equal(asked.length, 1);
  });
});

describe('ResultWindow beside people who work', () => {
  const START = Date.parse('2026-01-01T00:00:00Z');
  const sort = { field: 'event.created', direction: 'desc' } as const;
  const alertAt = (second: number, id = `a${second}`, status = 'open'): SearchedAlert => ({
    howler: { id, status },
    event: { created: new Date(START + second * 1_000).toISOString() },
  });

  function open(count: number) {
    const service = new SearchedAlerts(Array.from({ length: count }, (_, second) => alertAt(second)));
    const window = new ResultWindow<SearchedAlert>(
      {
        async read({ filter, offset, rows }) {
          const found = service.search(
            ['howler.status:open', ...(filter === undefined ? [] : [filter])],
            orderText(sort),
          );
          return { items: found.slice(offset, offset + rows), total: found.length };
        },
        readById: async (ids) => ids.flatMap((id) => service.alerts.get(id) ?? []),
        idOf: ({ howler }) => howler.id,
        behind: (row) => filterBehind(row, sort),
        deletedRow: (id) => ({ howler: { id, status: 'deleted' } }),
        locate: async () => undefined,
      },
      () => {},
    );
    const shown = async (index: number) => {
      window.show(index, index + 20);
      await settled();
      return window.rowAt(index)?.howler.id;
    };
    return { service, window, shown };
  }

  it('moves no row for alerts that arrive above', async () => {
    const { service, window, shown } = open(500);
    assert.equal(await shown(0), 'a499');
    for (let second = 500; second < 550; second += 1) service.put(alertAt(second));
    assert.equal(await shown(100), 'a399');
    assert.equal(await shown(300), 'a199');
    assert.equal(window.total, 500);
  });

  it('skips no row when alerts above leave the result', async () => {
    const { service, window, shown } = open(500);
    assert.equal(await shown(0), 'a499');
    // All of the first page are resolved, which takes them out of the search.
    for (let second = 400; second < 500; second += 1) service.put(alertAt(second, `a${second}`, 'resolved'));
    assert.equal(await shown(100), 'a399');
    assert.equal(await shown(470), 'a29');
    assert.equal(await shown(499), 'a0');
    assert.equal(window.total, 500);
  });

  it('shows a page again as it was, though its alerts changed or were deleted', async () => {
    const { service, window, shown } = open(3_000);
    for (let index = 0; index < 2_900; index += 100) await shown(index);
    assert.equal(window.rowAt(0), undefined, 'it is no longer in memory');
    service.put(alertAt(2_999, 'a2999', 'resolved'));
    service.alerts.delete('a2998');
    assert.equal(await shown(0), 'a2999');
    assert.deepEqual(
      [window.rowAt(0), window.rowAt(1), window.rowAt(2)].map((row) => row?.howler),
      [
        { id: 'a2999', status: 'resolved' },
        { id: 'a2998', status: 'deleted' },
        { id: 'a2997', status: 'open' },
      ],
    );
  });

  it('ends where the result ends, when others resolved alerts that were not read yet', async () => {
    const { service, window, shown } = open(300);
    await shown(0);
    for (let second = 0; second < 150; second += 1) service.put(alertAt(second, `a${second}`, 'resolved'));
    assert.equal(await shown(100), 'a199');
    await shown(120);
    assert.equal(window.total, 150);
    assert.equal(window.found, 300);
  });
});
