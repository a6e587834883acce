import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CoordinationSubject } from './subject.ts';

export function lifecycleArea(subject: CoordinationSubject): void {
  it('is healthy while open, and refuses with `coordination_unavailable` when closed', async () => {
    const { coordination, peer } = await subject.open();
    assert.deepEqual(await coordination.health(), { ok: true, detail: '' });
    await peer.close();
    await coordination.close();
    await coordination.close();
    const health = await coordination.health();
    assert.equal(health.ok, false);
    assert.notEqual(health.detail, '');
    const refused = { kind: 'unavailable', code: 'coordination_unavailable' };
    await assert.rejects(coordination.tokens.put('a', 1, 1000), refused);
    await assert.rejects(coordination.tokens.get('a'), refused);
    await assert.rejects(coordination.counters.increment('a', 1000), refused);
    await assert.rejects(coordination.locks.acquire('a', 1000), refused);
    await assert.rejects(coordination.queues.push('a', [1]), refused);
    await assert.rejects(coordination.events.publish('a', 1), refused);
  });

  it('lets those who wait go when it closes', async () => {
    const { coordination, peer } = await subject.open();
    await coordination.locks.acquire('held', 60_000);
    const lock = coordination.locks.acquire('held', 60_000, { wait: 30_000 });
    const items = coordination.queues.take('empty', { wait: 30_000 });
    await peer.close();
    await coordination.close();
    assert.equal(await lock, undefined);
    assert.deepEqual(await items, []);
  });

  it('is isolated from other instances', async () => {
    const one = await subject.open();
    const other = await subject.open();
    await one.coordination.tokens.put('mine', 1, 60_000);
    await one.coordination.queues.push('mine', [1]);
    assert.equal(await other.coordination.tokens.get('mine'), undefined);
    assert.equal(await other.coordination.queues.length('mine'), 0);
    for (const { coordination, peer } of [one, other]) {
      await peer.close();
      await coordination.close();
    }
  });

  if (!subject.keepsState) return;
  it('has its state again after a restart, with the expiries that it had', async () => {
    const first = await subject.open();
    const { tokens, counters, locks, queues } = first.coordination;
    await tokens.put('lives', { user: 'a' }, 60_000);
    await tokens.put('short', 1, 100);
    await tokens.put('removed', 1, 60_000);
    await tokens.remove('removed');
    await counters.increment('count', 60_000, { by: 3 });
    await counters.increment('short', 100);
    await locks.acquire('short', 100);
    await (await locks.acquire('released', 60_000))?.release();
    await queues.push('queue', ['a', 'b', 'c', 'd']);
    const [, acknowledged] = await queues.take('queue', { max: 2, visibility: 100 });
    await acknowledged?.acknowledge();

    const second = await first.restart();
    await second.advance(150);
    const now = second.coordination;
    assert.deepEqual(await now.tokens.get('lives'), { user: 'a' });
    assert.equal(await now.tokens.get('short'), undefined);
    assert.equal(await now.tokens.get('removed'), undefined);
    assert.equal(await now.counters.get('count'), 3);
    assert.equal(await now.counters.get('short'), 0);
    assert.notEqual(await now.locks.acquire('short', 1000), undefined);
    assert.notEqual(await now.locks.acquire('released', 1000), undefined);
    const items = await now.queues.take('queue', { max: 9 });
    assert.deepEqual(
      items.map(({ item }) => item),
      ['a', 'c', 'd'],
    );
    await second.peer.close();
    await now.close();
  });
}
