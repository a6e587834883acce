import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CoordinationSubject, openForArea } from './subject.ts';

export function locksArea(subject: CoordinationSubject): void {
  const opened = openForArea(subject);

  it('is held by one of many at a time', async () => {
    const { coordination, peer } = opened.current;
    const attempts = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? peer : coordination).locks.acquire('one', 60_000)),
    );
    assert.equal(attempts.filter((lock) => lock !== undefined).length, 1);
    assert.notEqual(await coordination.locks.acquire('another', 60_000), undefined);
  });

  it('is free after the release', async () => {
    const { coordination, peer } = opened.current;
    const lock = await coordination.locks.acquire('released', 60_000);
    await lock?.release();
    await lock?.release();
    assert.notEqual(await peer.locks.acquire('released', 60_000), undefined);
  });

  it('is free when the lease is over, and the late holder cannot disturb the next', async () => {
    const { coordination, peer, advance } = opened.current;
    const late = await coordination.locks.acquire('lease', 100);
    await advance(150);
    const next = await peer.locks.acquire('lease', 60_000);
    assert.notEqual(next, undefined);
    assert.equal(await late?.renew(60_000), false);
    await late?.release();
    assert.equal(await coordination.locks.acquire('lease', 60_000), undefined);
    assert.equal(await next?.renew(60_000), true);
  });

  it('cannot be renewed once the lease is over, even when no other holder took it', async () => {
    const { coordination, advance } = opened.current;
    const lock = await coordination.locks.acquire('lost', 100);
    await advance(150);
    assert.equal(await lock?.renew(60_000), false);
  });

  it('is held longer by renewing', async () => {
    const { coordination, advance } = opened.current;
    const lock = await coordination.locks.acquire('renewed', 600);
    await advance(360);
    assert.equal(await lock?.renew(600), true);
    await advance(360);
    assert.equal(await coordination.locks.acquire('renewed', 300), undefined);
    await advance(360);
    assert.notEqual(await coordination.locks.acquire('renewed', 300), undefined);
  });

  it('waits for a release, and only as long as asked', async () => {
    const { coordination, peer } = opened.current;
    const lock = await coordination.locks.acquire('awaited', 60_000);
    const began = performance.now();
    assert.equal(await peer.locks.acquire('awaited', 60_000, { wait: 60 }), undefined);
    assert.ok(performance.now() - began >= 55, 'it gave up too early');
    const waiting = peer.locks.acquire('awaited', 60_000, { wait: 3000 });
    await sleep(20);
    await lock?.release();
    assert.notEqual(await waiting, undefined);
    assert.ok(performance.now() - began < 2900, 'it was not woken by the release');
  });

  it('waits for the end of a lease', async () => {
    const { coordination, peer } = opened.current;
    await coordination.locks.acquire('abandoned', 100);
    assert.notEqual(await peer.locks.acquire('abandoned', 1000, { wait: 5000 }), undefined);
  });

  it('passes from one waiting caller to the next, never to two', async () => {
    const { coordination, peer } = opened.current;
    let inside = 0;
    const visits = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const lock = await (index % 2 ? peer : coordination).locks.acquire('line', 60_000, { wait: 3000 });
        inside += 1;
        const together = inside;
        await sleep(2);
        inside -= 1;
        await lock?.release();
        return lock === undefined ? 0 : together;
      }),
    );
    assert.deepEqual(visits, Array(10).fill(1));
  });
}
