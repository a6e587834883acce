import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, found, series, where } from '../things.ts';

export function updatesWhereArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const now = { access: EVERYTHING, visible: 'now' } as const;

  it('updates every match and nothing else, and counts both', async () => {
    const things = opened.things();
    await fill(
      things,
      series(120, (index) => ({ name: index % 3 === 0 ? 'third' : 'other', port: index })),
    );
    const result = await things.updateWhere(
      where(things, 'name:third'),
      [
        { op: 'append_missing', path: 'tags', value: 'seen' },
        { op: 'increment', path: 'port', by: 1000 },
      ],
      now,
    );
    assert.deepEqual(result, { matched: 40, changed: 40 });
    assert.equal((await found(things, 'tags:seen AND port:>=1000 AND name:third')).length, 40);
    assert.equal((await found(things, 'tags:seen')).length, 40);
    assert.equal((await found(things, 'port:<120')).length, 80);
  });

  it('ends although the update keeps documents matching, or makes others match', async () => {
    const things = opened.things();
    await fill(
      things,
      series(50, (index) => ({ port: index })),
    );
    await things.updateWhere(where(things, 'port:>=0'), [{ op: 'increment', path: 'port', by: 1 }], now);
    const { min, max, sum } = await things.stats({ ...ALL, field: 'port' }, EVERYTHING);
    assert.deepEqual([Number(min), Number(max), Number(sum)], [1, 50, 1275]);
  });

  it('does not count as changed what stayed as it was', async () => {
    const things = opened.things();
    await fill(
      things,
      series(10, (index) => ({ name: index < 4 ? 'same' : 'different' })),
    );
    const result = await things.updateWhere(ALL, [{ op: 'set', path: 'name', value: 'same' }], now);
    assert.deepEqual(result, { matched: 10, changed: 6 });
  });

  it('deletes every match and nothing else', async () => {
    const things = opened.things();
    await fill(
      things,
      series(60, (index) => ({ port: index })),
    );
    const result = await things.deleteWhere(where(things, 'port:<25'), now);
    assert.deepEqual(result, { matched: 25, changed: 25 });
    assert.equal(await things.count(ALL, EVERYTHING), 35);
    assert.equal(await things.get('t0024', EVERYTHING), undefined);
    assert.notEqual(await things.get('t0025', EVERYTHING), undefined);
  });

  it('obeys the filters of the selection', async () => {
    const things = opened.things();
    await fill(
      things,
      series(20, (index) => ({ port: index, active: index % 2 === 0 })),
    );
    const selection = { ...where(things, 'port:<10'), filters: [where(things, 'active:true').query] };
    assert.deepEqual(await things.deleteWhere(selection, now), { matched: 5, changed: 5 });
    assert.deepEqual(await things.updateWhere(selection, [{ op: 'set', path: 'name', value: 'x' }], now), {
      matched: 0,
      changed: 0,
    });
  });

  it('tells of its progress, up to the end', async () => {
    const things = opened.things();
    await fill(things, series(30));
    const seen: [number, number][] = [];
    await things.updateWhere(ALL, [{ op: 'set', path: 'name', value: 'x' }], {
      ...now,
      progress: (done, total) => seen.push([done, total]),
    });
    assert.deepEqual(seen.at(-1), [30, 30]);
    assert.ok(seen.every(([done], index) => index === 0 || done >= (seen[index - 1]?.[0] ?? 0)));
  });

  it('stops when it is told to', async () => {
    const things = opened.things();
    await fill(
      things,
      series(10, () => ({ name: 'kept' })),
    );
    const signal = AbortSignal.abort();
    await assert.rejects(things.updateWhere(ALL, [{ op: 'set', path: 'name', value: 'x' }], { ...now, signal }));
    await assert.rejects(things.deleteWhere(ALL, { ...now, signal }));
    assert.equal((await found(things, 'name:kept')).length, 10);
  });
}
