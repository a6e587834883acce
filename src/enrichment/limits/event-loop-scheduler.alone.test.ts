import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventLoopScheduler } from './event-loop-scheduler.ts';

describe('EventLoopScheduler', () => {
  it('lets a task begin at once while the iteration of the event loop has time', () => {
    const scheduler = new EventLoopScheduler();
    assert.equal(scheduler.next(), undefined);
    assert.equal(scheduler.next(), undefined);
  });

  it('spreads many tasks over iterations, in order, so that timers run between its tasks', async () => {
    const scheduler = new EventLoopScheduler();
    const order: number[] = [];
    let fired = 0;
    const timer = setInterval(() => {
      fired += 1;
    }, 1);
    await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        await scheduler.next();
        order.push(number);
        busy(6);
      }),
    );
    clearInterval(timer);
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, number) => number),
    );
    assert.ok(fired >= 5, `timers ran ${fired} times`);
    await sleep(1);
    assert.equal(scheduler.next(), undefined);
  });
});

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
