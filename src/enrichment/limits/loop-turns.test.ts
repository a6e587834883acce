import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoopTurns } from './loop-turns.ts';

describe('LoopTurns', () => {
  it('lets a task begin at once while the turn has time', () => {
    const turns = new LoopTurns();
    assert.equal(turns.next(), undefined);
    assert.equal(turns.next(), undefined);
  });

  it('spreads a burst over turns, in order, so that timers run between its tasks', async () => {
    const turns = new LoopTurns();
    const order: number[] = [];
    let fired = 0;
    const timer = setInterval(() => {
      fired += 1;
    }, 1);
    await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        await turns.next();
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
    assert.equal(turns.next(), undefined);
  });
});

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
