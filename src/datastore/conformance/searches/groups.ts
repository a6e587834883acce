import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import type { GroupRequest, SortClause } from '../../port/search.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, series, where } from '../things.ts';

const BY_ID: readonly SortClause[] = [{ field: 'id', order: 'asc' }];

export function groupsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const filled = async (): Promise<Collection<StoredDocument>> => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'a', name: 'x', port: 1 },
      { thing_id: 'b', name: 'y', port: 9 },
      { thing_id: 'c', name: 'x', port: 5 },
      { thing_id: 'd', name: 'z', port: 5 },
      { thing_id: 'e', port: 7 },
      { thing_id: 'f', name: 'y', port: 2 },
    ]);
    return things;
  };

  it('gives one document of each value, and how many there are', async () => {
    const things = await filled();
    const named = where(things, 'name:*');
    assert.deepEqual(await groups(things, { ...named, field: 'name', sort: BY_ID, groupSort: BY_ID }), {
      total: 5,
      groups: [
        ['x', 2, ['a']],
        ['y', 2, ['b']],
        ['z', 1, ['d']],
      ],
    });
  });

  it('orders the groups by their best document, and documents inside by an order of their own', async () => {
    const things = await filled();
    const sort: SortClause[] = [{ field: 'port', order: 'desc' }, ...BY_ID];
    const request = { ...where(things, 'name:*'), field: 'name', sort, groupSort: BY_ID, limit: 5 };
    assert.deepEqual((await groups(things, request)).groups, [
      ['y', 2, ['b', 'f']],
      ['x', 2, ['a', 'c']],
      ['z', 1, ['d']],
    ]);
    const other = { ...request, sort: BY_ID, groupSort: sort };
    assert.deepEqual((await groups(things, other)).groups, [
      ['x', 2, ['c', 'a']],
      ['y', 2, ['b', 'f']],
      ['z', 1, ['d']],
    ]);
  });

  it('pages through groups, counts documents, and shows as many of each as asked', async () => {
    const things = await filled();
    const request = { ...where(things, 'name:*'), field: 'name', sort: BY_ID, groupSort: BY_ID };
    assert.deepEqual(await groups(things, { ...request, offset: 1, rows: 1, limit: 2 }), {
      total: 5,
      groups: [['y', 2, ['b', 'f']]],
    });
    assert.deepEqual(await groups(things, { ...request, offset: 9 }), { total: 5, groups: [] });
    assert.deepEqual(await groups(things, { ...request, rows: 0 }), { total: 5, groups: [] });
  });

  it('shows as many documents as a result window holds, and cuts the largest groups first', async () => {
    const things = opened.things();
    await fill(
      things,
      series(10_300, (index) => ({ name: index < 300 ? 'small' : 'large' })),
    );
    const request = { ...ALL, field: 'name', sort: BY_ID, groupSort: BY_ID };
    const shown = async (limit: number) =>
      (await groups(things, { ...request, limit })).groups.map(([name, total, ids]) => [name, total, ids.length]);
    assert.deepEqual(await shown(2500), [
      ['small', 300, 300],
      ['large', 10_000, 2500],
    ]);
    assert.deepEqual(await shown(10_000), [
      ['small', 300, 300],
      ['large', 10_000, 9700],
    ]);
    assert.deepEqual(await shown(0), [
      ['small', 300, 0],
      ['large', 10_000, 0],
    ]);
  });

  it('puts documents without the field in a group of their own', async () => {
    const things = await filled();
    assert.deepEqual((await groups(things, { ...ALL, field: 'name', sort: BY_ID, groupSort: BY_ID })).groups, [
      ['x', 2, ['a']],
      ['y', 2, ['b']],
      ['z', 1, ['d']],
      [null, 1, ['e']],
    ]);
  });

  it('groups by numbers too', async () => {
    const things = await filled();
    const request = { ...ALL, field: 'port', sort: BY_ID, groupSort: BY_ID, limit: 2 };
    assert.deepEqual((await groups(things, request)).groups[2], [5, 2, ['c', 'd']]);
  });

  it('gives whole documents, or the fields asked for', async () => {
    const things = await filled();
    const request = { ...where(things, 'name:z'), field: 'name' };
    const [whole] = (await things.group(request, EVERYTHING)).groups;
    assert.deepEqual(
      whole?.items.map(({ id, collection, document }) => [id, collection, document]),
      [['d', things.definition.name, { thing_id: 'd', name: 'z', port: 5 }]],
    );
    const [part] = (await things.group({ ...request, fields: ['port'] }, EVERYTHING)).groups;
    assert.deepEqual(part?.items[0]?.document, { port: 5 });
  });

  it('refuses fields that do not group, and documents with several values', async () => {
    const things = opened.things();
    await fill(things, [
      { thing_id: 'a', tags: ['x', 'y'], note: 'words', address: '::1', seen: '2026-01-01', active: true },
    ]);
    for (const field of ['tags', 'note', 'address', 'seen', 'active']) {
      await assert.rejects(
        things.group({ ...ALL, field }, EVERYTHING),
        { kind: 'invalid_input', code: 'group_field_unsupported' },
        field,
      );
    }
  });
}

type GroupSummary = readonly [value: string | number | bigint | null, total: number, ids: readonly string[]];

async function groups(
  things: Collection<StoredDocument>,
  request: GroupRequest,
): Promise<{ total: number; groups: GroupSummary[] }> {
  const result = await things.group(request, EVERYTHING);
  return {
    total: result.total,
    groups: result.groups.map(({ value, total, items }) => [value, total, items.map(({ id }) => id)]),
  };
}
