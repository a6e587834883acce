import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueItem } from '../coordination.ts';
import { type CoordinationSubject, openForArea } from './subject.ts';

export function queuesArea(subject: CoordinationSubject): void {
  const opened = openForArea(subject);

  it('gives items first in first out, as they were pushed', async () => {
    const { coordination, peer } = opened.current;
    await coordination.queues.push('order', [{ n: 1 }, { n: 2 }]);
    await peer.queues.push('order', [{ n: 3 }]);
    await coordination.queues.push('order', []);
    assert.equal(await coordination.queues.length('order'), 3);
    assert.deepEqual(values(await coordination.queues.take('order')), [{ n: 1 }]);
    assert.deepEqual(values(await peer.queues.take('order', { max: 10 })), [{ n: 2 }, { n: 3 }]);
    assert.deepEqual(await coordination.queues.take('order'), []);
    assert.deepEqual(await coordination.queues.take('another queue'), []);
  });

  it('gives higher priorities first', async () => {
    const { queues } = opened.current.coordination;
    await queues.push('priority', ['low 1', 'low 2'], { priority: -1 });
    await queues.push('priority', ['plain']);
    await queues.push('priority', ['high 1', 'high 2'], { priority: 10 });
    assert.deepEqual(values(await queues.take('priority', { max: 5 })), [
      'high 1',
      'high 2',
      'plain',
      'low 1',
      'low 2',
    ]);
  });

  it('tells when the item was pushed that waits longest, of any priority', async () => {
    const { coordination, peer, advance } = opened.current;
    const { queues } = coordination;
    assert.equal(await queues.oldest('aged'), undefined);
    const before = Date.now();
    await queues.push('aged', ['plain']);
    await advance(40);
    await queues.push('aged', ['low'], { priority: -1 });
    await advance(40);
    await peer.queues.push('aged', ['high 1', 'high 2'], { priority: 10 });
    const pushed = new Map((await queues.peek<string>('aged', { max: 9 })).map((one) => [one.item, one.pushedAt]));
    assert.ok(Number(pushed.get('plain')) >= before - 1000);
    assert.equal(await peer.queues.oldest('aged'), pushed.get('plain'));
    await queues.takeById('aged', 'none');
    const taken = await queues.take<string>('aged', { max: 3 });
    assert.deepEqual(values(taken), ['high 1', 'high 2', 'plain']);
    assert.equal(await queues.oldest('aged'), pushed.get('low'), 'what is taken does not wait');
    for (const item of taken) await item.giveBack();
    assert.equal(await queues.oldest('aged'), pushed.get('plain'));
    await queues.clear('aged');
    assert.equal(await peer.queues.oldest('aged'), undefined);
  });

  it('gives each item to one of many takers', async () => {
    const { coordination, peer } = opened.current;
    await coordination.queues.push(
      'shared',
      Array.from({ length: 50 }, (_, index) => index),
    );
    const taken = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? peer : coordination).queues.take<number>('shared', { max: 3 }),
      ),
    );
    const all = values(taken.flat()).toSorted((a, b) => a - b);
    assert.deepEqual(
      all,
      Array.from({ length: 50 }, (_, index) => index),
    );
  });

  it('does not count what is taken', async () => {
    const { queues } = opened.current.coordination;
    await queues.push('counted', [1, 2, 3]);
    const [first] = await queues.take('counted');
    assert.equal(await queues.length('counted'), 2);
    await first?.giveBack();
    assert.equal(await queues.length('counted'), 3);
    assert.equal(await queues.length('no such queue'), 0);
  });

  it('delivers again what was taken and not acknowledged, at its old place', async () => {
    const { coordination, advance } = opened.current;
    await coordination.queues.push('redelivered', ['a', 'b', 'c']);
    await coordination.queues.take('redelivered', { visibility: 300 });
    assert.deepEqual(values(await coordination.queues.take('redelivered', { visibility: 60_000 })), ['b']);
    await advance(450);
    assert.equal(await coordination.queues.length('redelivered'), 2);
    assert.deepEqual(values(await coordination.queues.take('redelivered', { max: 5 })), ['a', 'c']);
  });

  it('never delivers again what was acknowledged, in time or late', async () => {
    const { coordination, peer, advance } = opened.current;
    await coordination.queues.push('acknowledged', ['in time', 'late']);
    const [inTime, late] = await coordination.queues.take('acknowledged', { max: 2, visibility: 100 });
    await inTime?.acknowledge();
    await inTime?.acknowledge();
    await advance(150);
    await late?.acknowledge();
    assert.deepEqual(await peer.queues.take('acknowledged', { max: 2 }), []);
    await advance(60_000);
    assert.deepEqual(await peer.queues.take('acknowledged', { max: 2 }), []);
  });

  it('puts a returned item back in front, unless another taker has it by then', async () => {
    const { coordination, advance } = opened.current;
    await coordination.queues.push('back', ['a', 'b']);
    const [first] = await coordination.queues.take('back');
    await first?.giveBack();
    const [again] = await coordination.queues.take('back', { visibility: 300 });
    assert.equal(again?.item, 'a');
    await advance(450);
    assert.deepEqual(values(await coordination.queues.take('back', { visibility: 60_000 })), ['a']);
    await again?.giveBack();
    assert.deepEqual(values(await coordination.queues.take('back')), ['b']);
  });

  it('waits for a push, a return and the end of a visibility time, and only as long as asked', async () => {
    const { coordination, peer } = opened.current;
    const began = performance.now();
    assert.deepEqual(await coordination.queues.take('awaited', { wait: 60 }), []);
    assert.ok(performance.now() - began >= 55, 'it gave up too early');

    const pushed = coordination.queues.take<string>('awaited', { wait: 3000, visibility: 60_000 });
    await sleep(20);
    await peer.queues.push('awaited', ['pushed']);
    const [first] = await pushed;
    assert.equal(first?.item, 'pushed');

    const returned = coordination.queues.take<string>('awaited', { wait: 3000, visibility: 100 });
    await sleep(20);
    await first?.giveBack();
    assert.deepEqual(values(await returned), ['pushed']);

    assert.deepEqual(values(await coordination.queues.take('awaited', { wait: 3000 })), ['pushed']);
    assert.ok(performance.now() - began < 2900, 'it was not woken');
  });

  it('gives one push to as many waiting takers as it has items', async () => {
    const { coordination, peer } = opened.current;
    const takers = Array.from({ length: 4 }, (_, index) =>
      (index % 2 ? peer : coordination).queues.take<number>('crowd', { wait: 3000 }),
    );
    await sleep(20);
    await coordination.queues.push('crowd', [1, 2, 3]);
    await sleep(20);
    await coordination.queues.push('crowd', [4]);
    const taken = values((await Promise.all(takers)).flat());
    assert.deepEqual(
      taken.toSorted((a, b) => a - b),
      [1, 2, 3, 4],
    );
  });

  it('clears all items of one queue, the taken ones too', async () => {
    const { coordination, advance } = opened.current;
    await coordination.queues.push('cleared', [1, 2, 3]);
    await coordination.queues.push('kept', [1]);
    await coordination.queues.take('cleared', { visibility: 100 });
    assert.equal(await coordination.queues.clear('cleared'), 3);
    await advance(150);
    assert.deepEqual(await coordination.queues.take('cleared'), []);
    assert.equal(await coordination.queues.length('kept'), 1);
  });
}

function values<T>(items: readonly QueueItem<T>[]): T[] {
  return items.map(({ item }) => item);
}
