import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import type { SearchRequest } from '../../port/search.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, series, where } from '../things.ts';

export function cursorsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('gives every match once, page by page, in the order asked for', async () => {
    const things = opened.things();
    await fill(
      things,
      series(53, (index) => ({ port: index % 7, name: index < 50 ? 'in' : 'out' })),
    );
    const sort = [
      { field: 'port', order: 'desc' },
      { field: 'id', order: 'asc' },
    ] as const;
    const request = { ...where(things, 'name:in'), sort, rows: 8 };
    const expected = (await things.search({ ...request, rows: 100 }, EVERYTHING)).items.map(({ id }) => id);
    const { ids, pages, totals } = await follow(things, request);
    assert.deepEqual(ids, expected);
    assert.equal(ids.length, 50);
    assert.deepEqual(pages, [8, 8, 8, 8, 8, 8, 2]);
    assert.deepEqual(new Set(totals), new Set([50]));
  });

  it('gives every match once where all are equal in the order asked for', async () => {
    const things = opened.things();
    await fill(
      things,
      series(40, () => ({ port: 1 })),
    );
    for (const sort of [[{ field: 'port', order: 'asc' }], [{ field: 'score', order: 'desc' }]] as const) {
      const { ids } = await follow(things, { ...ALL, sort, rows: 7 });
      assert.equal(ids.length, 40);
      assert.equal(new Set(ids).size, 40);
    }
  });

  it('ends: without a further cursor, or with an empty page behind the last', async () => {
    const things = opened.things();
    await fill(things, series(6));
    const short = await things.search({ ...ALL, cursor: '*', rows: 10 }, EVERYTHING);
    assert.equal(short.items.length, 6);
    assert.equal(short.nextCursor, undefined);
    const { ids } = await follow(things, { ...ALL, rows: 3 });
    assert.equal(ids.length, 6);
    assert.equal(
      (await things.search({ ...ALL, rows: 3 }, EVERYTHING)).nextCursor,
      undefined,
      'no cursor was asked for',
    );
  });

  it('keeps its initial state despite concurrent writes', async () => {
    const things = opened.things();
    await fill(
      things,
      series(30, (index) => ({ port: index, name: 'before' })),
    );
    const request = { ...where(things, 'name:before'), sort: [{ field: 'port', order: 'asc' }] as const, rows: 10 };
    const first = await things.search({ ...request, cursor: '*' }, EVERYTHING);
    await fill(things, [
      { thing_id: 'inserted', port: 15, name: 'before' },
      { thing_id: 't0012', port: -1, name: 'before' },
      { thing_id: 't0003', port: 99, name: 'before' },
      { thing_id: 't0020', port: 20, name: 'after' },
    ]);
    await things.delete('t0025', { visible: 'now' });
    const { ids } = await follow(things, request, first.nextCursor);
    assert.deepEqual(
      [...first.items.map(({ id }) => id), ...ids],
      series(30).map(({ thing_id }) => thing_id),
    );
  });

  it('goes beyond the window that pages by offset are limited to', async () => {
    const things = opened.things();
    await fill(things, series(10_300));
    const { ids } = await follow(things, { ...ALL, sort: [{ field: 'id', order: 'asc' }], rows: 4000 });
    assert.equal(ids.length, 10_300);
    assert.equal(new Set(ids).size, 10_300);
  });

  it('refuses a cursor that it did not give', async () => {
    const things = opened.things();
    await fill(things, series(3));
    for (const cursor of ['', 'nonsense', 'AAAA', '{"a":1}']) {
      await assert.rejects(
        things.search({ ...ALL, cursor }, EVERYTHING),
        ({ kind }: { kind?: string }) => kind === 'invalid_input' || kind === 'not_found',
        cursor,
      );
    }
  });
}

/** Follows a cursor to its end. */
async function follow(
  things: Collection<StoredDocument>,
  request: SearchRequest,
  from: string | undefined = '*',
): Promise<{ ids: string[]; pages: number[]; totals: number[] }> {
  const ids: string[] = [];
  const pages: number[] = [];
  const totals: number[] = [];
  for (let cursor: string | undefined = from; cursor !== undefined; ) {
    const page = await things.search({ ...request, cursor }, EVERYTHING);
    ids.push(...page.items.map(({ id }) => id));
    pages.push(page.items.length);
    totals.push(page.total);
    assert.ok(pages.length < 1000, 'the cursor does not end');
    assert.ok(page.nextCursor === undefined || page.items.length === request.rows, 'a short page is the last');
    cursor = page.nextCursor;
  }
  return { ids, pages: pages.filter((length) => length > 0), totals };
}
