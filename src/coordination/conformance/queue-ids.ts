import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { QueueItem } from '../coordination.ts';
import { type CoordinationSubject, openForArea } from './subject.ts';

/** Items with ids, looks without taking, and names of queues. */
export function queueIdsArea(subject: CoordinationSubject): void {
  const opened = openForArea(subject);

  it('does not push an id again that waits or is taken, and pushes one again that is done', async () => {
    const { coordination, peer } = opened.current;
    await coordination.queues.push('ids', ['a', 'b'], { ids: ['1', '2'] });
    await peer.queues.push('ids', ['a again', 'c'], { ids: ['1', '3'], priority: 5 });
    assert.equal(await coordination.queues.length('ids'), 3);
    const taken = await coordination.queues.take<string>('ids', { max: 3 });
    assert.deepEqual(values(taken), ['c', 'a', 'b']);
    await coordination.queues.push('ids', ['a while taken'], { ids: ['1'] });
    assert.equal(await coordination.queues.length('ids'), 0);
    for (const item of taken) await item.acknowledge();
    await peer.queues.push('ids', ['a once more'], { ids: ['1'] });
    assert.deepEqual(values(await coordination.queues.take('ids', { max: 3 })), ['a once more']);
  });

  it('takes the ids of another queue, and items without ids, for themselves', async () => {
    const { queues } = opened.current.coordination;
    await queues.push('ids of one', ['a'], { ids: ['1'] });
    await queues.push('ids of other', ['b'], { ids: ['1'] });
    await queues.push('ids of other', ['same', 'same']);
    assert.deepEqual(values(await queues.take('ids of other', { max: 5 })), ['b', 'same', 'same']);
    assert.equal(await queues.clear('ids of other'), 3);
    await queues.push('ids of other', ['after clear'], { ids: ['1'] });
    assert.equal(await queues.length('ids of other'), 1);
  });

  it('removes one waiting item by its id, for one of many callers', async () => {
    const { coordination, peer } = opened.current;
    await coordination.queues.push('by id', ['a', { n: 2 }, 'c'], { ids: ['1', '2', '3'] });
    const found = await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 ? peer : coordination).queues.takeById('by id', '2')),
    );
    assert.deepEqual(
      found.filter((item) => item !== undefined),
      [{ n: 2 }],
    );
    assert.equal(await peer.queues.takeById('by id', 'unknown'), undefined);
    assert.equal(await peer.queues.takeById('no such queue', '1'), undefined);
    assert.deepEqual(values(await coordination.queues.take('by id', { max: 5 })), ['a', 'c']);
    await coordination.queues.push('by id', ['b again'], { ids: ['2'] });
    assert.equal(await coordination.queues.length('by id'), 1);
  });

  it('leaves a taken item to its taker, until it comes back', async () => {
    const { coordination, peer, advance } = opened.current;
    await coordination.queues.push('taken id', ['a'], { ids: ['1'] });
    await coordination.queues.take('taken id', { visibility: 300 });
    assert.equal(await peer.queues.takeById('taken id', '1'), undefined);
    await advance(450);
    assert.equal(await peer.queues.takeById('taken id', '1'), 'a');
    assert.equal(await coordination.queues.clear('taken id'), 0);
  });

  it('shows what waits without taking it: the next, or the last', async () => {
    const { coordination, peer, advance } = opened.current;
    const before = Date.now() - 2000;
    await coordination.queues.push('shown', ['low'], { priority: -1, ids: ['l'] });
    await coordination.queues.push('shown', ['plain 1', 'plain 2']);
    await coordination.queues.push('shown', ['high'], { priority: 2.5 });
    const [next, ...more] = await peer.queues.peek('shown');
    assert.deepEqual(more, []);
    assert.deepEqual({ ...next, pushedAt: 0 }, { item: 'high', priority: 2.5, pushedAt: 0 });
    assert.ok((next?.pushedAt ?? 0) > before, `pushed at ${next?.pushedAt}`);
    const shown = async (options: object) =>
      (await peer.queues.peek('shown', options)).map(({ item, id, priority }) => [item, id, priority]);
    assert.deepEqual(await shown({ max: 3 }), [
      ['high', undefined, 2.5],
      ['plain 1', undefined, 0],
      ['plain 2', undefined, 0],
    ]);
    assert.deepEqual(await shown({ max: 2, from: 'last' }), [
      ['low', 'l', -1],
      ['plain 2', undefined, 0],
    ]);
    assert.equal(await coordination.queues.length('shown'), 4);
    await coordination.queues.take('shown', { visibility: 300 });
    assert.deepEqual(await shown({}), [['plain 1', undefined, 0]]);
    await advance(450);
    assert.deepEqual(await shown({}), [['high', undefined, 2.5]]);
    assert.deepEqual(await shown({ max: 0 }), []);
    assert.deepEqual(await peer.queues.peek('no such queue', { max: 5 }), []);
  });

  it('names the queues that start so and hold items', async () => {
    const { coordination, peer } = opened.current;
    await coordination.queues.push('names:b', ['x', 'y']);
    await coordination.queues.push('names:a', ['x']);
    await coordination.queues.push('names:done', ['x']);
    await coordination.queues.push('names%', ['x']);
    await coordination.queues.push('other:names:', ['x']);
    await coordination.queues.take('names:a');
    const [done] = await coordination.queues.take('names:done');
    await done?.acknowledge();
    assert.deepEqual(await peer.queues.list('names:'), ['names:a', 'names:b']);
    assert.deepEqual(await peer.queues.list('names*'), []);
    assert.deepEqual(await peer.queues.list('names%'), ['names%']);
  });

  if (!subject.keepsState) return;
  it('has ids and priorities again after a restart', async () => {
    const first = await subject.open();
    await first.coordination.queues.push('kept', ['a', 'b'], { ids: ['1', '2'], priority: 3 });
    const second = await first.restart();
    const { queues } = second.coordination;
    await queues.push('kept', ['a again'], { ids: ['1'] });
    assert.deepEqual(
      (await queues.peek('kept', { max: 5 })).map(({ item, id, priority }) => [item, id, priority]),
      [
        ['a', '1', 3],
        ['b', '2', 3],
      ],
    );
    assert.equal(await queues.takeById('kept', '2'), 'b');
    await second.peer.close();
    await second.coordination.close();
  });
}

function values<T>(items: readonly QueueItem<T>[]): T[] {
  return items.map(({ item }) => item);
}
