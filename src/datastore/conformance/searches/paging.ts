import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_RESULT_WINDOW, type SearchRequest } from '../../port/search.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, idsOf, series, where } from '../things.ts';

const BY_ID = [{ field: 'id', order: 'asc' }] as const;

export function pagingArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('gives 25 from the start unless told otherwise, with the exact total', async () => {
    const things = opened.things();
    await fill(things, series(60));
    const result = await things.search({ ...ALL, sort: BY_ID }, EVERYTHING);
    assert.equal(result.total, 60);
    assert.equal(result.offset, 0);
    assert.deepEqual(
      result.items.map(({ id }) => id),
      series(25).map(({ thing_id }) => thing_id),
    );
    assert.ok(result.items.every(({ collection }) => collection === things.definition.name));
  });

  it('gives the pages of one order, and an empty one behind the end', async () => {
    const things = opened.things();
    await fill(things, series(10));
    const all = series(10).map(({ thing_id }) => thing_id);
    assert.deepEqual(await idsOf(things, { ...ALL, sort: BY_ID, offset: 0, rows: 4 }), all.slice(0, 4));
    assert.deepEqual(await idsOf(things, { ...ALL, sort: BY_ID, offset: 4, rows: 4 }), all.slice(4, 8));
    assert.deepEqual(await idsOf(things, { ...ALL, sort: BY_ID, offset: 8, rows: 4 }), all.slice(8));
    const behind = await things.search({ ...ALL, sort: BY_ID, offset: 10, rows: 4 }, EVERYTHING);
    assert.deepEqual([behind.items, behind.total, behind.offset], [[], 10, 10]);
  });

  it('gives only the total for 0 rows', async () => {
    const things = opened.things();
    await fill(
      things,
      series(3, (index) => ({ port: index })),
    );
    const { items, total } = await things.search({ ...where(things, 'port:>0'), rows: 0 }, EVERYTHING);
    assert.deepEqual([items, total], [[], 2]);
  });

  it('counts beyond the window that can be paged through', async () => {
    const things = opened.things();
    const many = MAX_RESULT_WINDOW + 500;
    await fill(
      things,
      series(many, (index) => ({ port: index })),
    );
    assert.equal((await things.search({ ...ALL, rows: 1 }, EVERYTHING)).total, many);
    assert.equal(await things.count(ALL, EVERYTHING), many);
    const sort = [{ field: 'port', order: 'asc' }] as const;
    const last = await things.search({ ...ALL, sort, offset: MAX_RESULT_WINDOW - 1, rows: 1 }, EVERYTHING);
    assert.deepEqual(
      last.items.map(({ id }) => id),
      ['t9999'],
    );
  });

  it('refuses a page that ends behind the window', async () => {
    const things = opened.things();
    for (const page of [{ offset: MAX_RESULT_WINDOW, rows: 1 }, { rows: MAX_RESULT_WINDOW + 1 }]) {
      await assert.rejects(things.search({ ...ALL, ...page }, EVERYTHING), {
        kind: 'invalid_input',
        code: 'result_window_too_large',
      });
    }
    await things.search({ ...ALL, offset: MAX_RESULT_WINDOW, rows: 0 }, EVERYTHING);
  });

  it('ANDs the filters to the query', async () => {
    const things = opened.things();
    await fill(
      things,
      series(30, (index) => ({ port: index, name: index % 2 ? 'odd' : 'even', tags: [`m${index % 3}`] })),
    );
    const selection = {
      ...where(things, 'name:odd OR port:0'),
      filters: [where(things, 'tags:m0').query, where(things, 'NOT port:[20 TO 29]').query],
    };
    assert.deepEqual(await idsOf(things, { ...selection, sort: BY_ID }), ['t0000', 't0003', 't0009', 't0015']);
    assert.equal(await things.count(selection, EVERYTHING), 4);
  });

  it('keeps the fields asked for, by path and by glob', async () => {
    const things = opened.things();
    await fill(things, [
      {
        thing_id: 'a',
        name: 'n',
        port: 1,
        owner: { name: 'o', age: 2 },
        comments: [{ user: 'u', value: 'v' }, { value: 'w' }],
        labels: { x: '1' },
      },
    ]);
    const documentWith = async (...fields: string[]) =>
      (await things.search({ ...ALL, fields }, EVERYTHING)).items[0]?.document;
    assert.deepEqual(await documentWith('name', 'owner.age'), { name: 'n', owner: { age: 2 } });
    assert.deepEqual(await documentWith('owner'), { owner: { name: 'o', age: 2 } });
    assert.deepEqual(await documentWith('owner.*', 'labels.x'), { owner: { name: 'o', age: 2 }, labels: { x: '1' } });
    assert.deepEqual(await documentWith('*name'), { name: 'n', owner: { name: 'o' } });
    assert.deepEqual(await documentWith('comments.value'), { comments: [{ value: 'v' }, { value: 'w' }] });
    assert.deepEqual(await documentWith('nothing.here'), {});
  });

  it('gives identifiers and versions alone, also by relevance, that a later write makes old', async () => {
    const things = opened.things();
    const versions = await fill(things, series(3));
    const find = async (more: Partial<SearchRequest> = {}) =>
      (await things.search({ ...ALL, fields: [], sort: BY_ID, ...more }, EVERYTHING)).items;
    const found = await find();
    assert.deepEqual(
      found.map(({ id, version, document }) => ({ id, version, document })),
      series(3).map(({ thing_id: id }, at) => ({ id, version: versions[at], document: {} })),
    );
    const named = await find({ ...where(things, 'thing_id:t0001'), sort: [{ field: '_score', order: 'desc' }] });
    assert.deepEqual(
      named.map(({ id, version, document }) => ({ id, version, document })),
      [{ id: 't0001', version: versions[1], document: {} }],
    );
    await things.update('t0001', [{ op: 'set', path: 'port', value: 7 }]);
    const results = await things.bulk(
      found.map(({ id, version }) => ({ kind: 'delete', id, ifVersion: version })),
      { visible: 'now' },
    );
    assert.deepEqual(
      results.map((result) => (result.ok ? 'deleted' : result.code)),
      ['deleted', 'version_conflict', 'deleted'],
    );
    assert.deepEqual(
      (await find()).map(({ id }) => id),
      ['t0001'],
    );
  });
}
