import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, found, series } from '../things.ts';

export function visibilityArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('lets a search find every kind of write that was answered with visible now', async () => {
    const things = opened.things();
    const now = { visible: 'now' } as const;
    await things.save('a', { thing_id: 'a', name: 'saved' }, now);
    assert.deepEqual(await found(things, 'name:saved'), ['a']);
    await things.update('a', [{ op: 'set', path: 'name', value: 'updated' }], now);
    assert.deepEqual(await found(things, 'name:updated'), ['a']);
    await things.bulk([{ kind: 'save', id: 'b', document: { thing_id: 'b', name: 'updated' } }], now);
    assert.deepEqual(await found(things, 'name:updated'), ['a', 'b']);
    await things.bulk([{ kind: 'delete', id: 'b' }], now);
    assert.deepEqual(await found(things, 'name:updated'), ['a']);
    await things.createAll([{ id: 'b', document: { thing_id: 'b', name: 'created' } }], 'now');
    assert.deepEqual(await found(things, 'name:created'), ['b']);
    await things.delete('b', now);
    await things.updateWhere(ALL, [{ op: 'set', path: 'name', value: 'all' }], { ...now, access: EVERYTHING });
    assert.deepEqual(await found(things, 'name:all'), ['a']);
    await things.deleteWhere(ALL, { ...now, access: EVERYTHING });
    assert.deepEqual(await found(things, '*:*'), []);
    await things.save('c', { thing_id: 'c' }, now);
    await things.delete('c', now);
    assert.equal(await things.count(ALL, EVERYTHING), 0);
  });

  it('shows a write to every reading method once it is visible', async () => {
    const things = opened.things();
    for (let round = 1; round <= 5; round += 1) {
      const id = `t${round}`;
      await things.save(id, { thing_id: id, name: id, port: round }, { visible: 'now' });
      assert.equal(await things.count(ALL, EVERYTHING), round);
      assert.equal((await things.facet({ ...ALL, field: 'name' }, EVERYTHING)).buckets.length, round);
      assert.equal(Number((await things.stats({ ...ALL, field: 'port' }, EVERYTHING)).max), round);
      const interval = { kind: 'number', size: 1 } as const;
      assert.equal((await things.histogram({ ...ALL, field: 'port', interval }, EVERYTHING)).length, round);
      assert.equal((await things.group({ ...ALL, field: 'name' }, EVERYTHING)).total, round);
      assert.equal((await Array.fromAsync(things.stream(ALL, EVERYTHING))).length, round);
    }
  });

  it('shows any write to reads by identifier at once, and to searches soon', async () => {
    const things = opened.things();
    for (const { thing_id } of series(20)) {
      await things.save(String(thing_id), { thing_id, port: 1 });
      assert.notEqual(await things.get(String(thing_id), EVERYTHING), undefined);
      await things.update(String(thing_id), [{ op: 'increment', path: 'port', by: 1 }]);
      assert.equal((await things.get(String(thing_id), EVERYTHING))?.port, 2);
    }
    await things.delete('t0000');
    assert.deepEqual(await things.getMany(['t0000'], EVERYTHING), [undefined]);
    const deadline = performance.now() + (opened.store.capabilities.instantVisibility ? 0 : 5000);
    let count = await things.count(ALL, EVERYTHING);
    while (count !== 19 && performance.now() < deadline) {
      await sleep(50);
      count = await things.count(ALL, EVERYTHING);
    }
    assert.equal(count, 19);
  });
}
