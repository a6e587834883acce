import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { Unavailable } from '../../errors/errors.ts';
import { FairSemaphore, type FairSemaphoreOptions } from './fair-semaphore.ts';

const REFUSED = { code: 'too_many_tests' };

describe('FairSemaphore', () => {
  it('runs no more work at a time than there are slots, and frees slots after failures too', async () => {
    const semaphore = open({ slots: 2 });
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await nextTurn();
      running -= 1;
      if (running === 0) throw new Error('one that fails');
    };
    await Promise.allSettled(Array.from({ length: 20 }, (_, number) => semaphore.run(`${number}`, work)));
    assert.equal(most, 2);
    assert.equal(await semaphore.run('after', async () => 'done'), 'done');
    assert.deepEqual([semaphore.running, semaphore.waiting], [0, 0]);
  });

  it('serves callers in turn, however much work one of them has', async () => {
    const semaphore = open({ slots: 1 });
    const order: string[] = [];
    const run = (who: string) =>
      semaphore.run(who, async () => {
        await nextTurn();
        order.push(who);
      });
    const flood = Array.from({ length: 5 }, () => run('flood'));
    await Promise.all([...flood, run('other'), run('third'), run('other')]);
    assert.deepEqual(order, ['flood', 'flood', 'other', 'third', 'flood', 'other', 'flood', 'flood']);
  });

  it('keeps slots for others while the work of one caller hangs', async () => {
    const semaphore = open({ slots: 4, slotsOfCaller: 3 });
    const hanging = Promise.withResolvers<void>();
    const stuck = Array.from({ length: 50 }, () => semaphore.run('hostile', () => hanging.promise));
    assert.deepEqual([semaphore.running, semaphore.waiting], [3, 47]);
    assert.deepEqual([semaphore.isFreeFor('hostile'), semaphore.isFreeFor('other')], [false, true]);
    for (let round = 0; round < 20; round += 1) {
      assert.equal(await semaphore.run('other', async () => 'served'), 'served');
    }
    hanging.resolve();
    await Promise.all(stuck);
    assert.deepEqual([semaphore.running, semaphore.waiting], [0, 0]);
  });

  it('refuses work when too much waits, also of one caller', async () => {
    const semaphore = open({ slots: 1, maxWaiting: 4, maxWaitingOfCaller: 2 });
    const block = Promise.withResolvers<void>();
    const running = semaphore.run('one', () => block.promise);
    const waiting = ['one', 'one', 'two', 'two'].map((who) => semaphore.run(who, nextTurn));
    await assert.rejects(semaphore.run('one', nextTurn), REFUSED);
    await assert.rejects(semaphore.run('three', nextTurn), REFUSED);
    block.resolve();
    await Promise.all([running, ...waiting]);
    assert.equal(await semaphore.run('three', async () => 'served'), 'served');
  });

  it('does not run work whose caller is gone', async () => {
    const semaphore = open({ slots: 1 });
    const gone = new AbortController();
    const block = Promise.withResolvers<void>();
    const running = semaphore.run('a', () => block.promise);
    const waiting = semaphore.run('b', () => assert.fail('ran'), gone.signal);
    gone.abort(new Error('gone'));
    await assert.rejects(waiting, { message: 'gone' });
    await assert.rejects(
      semaphore.run('b', () => assert.fail('ran'), gone.signal),
      { message: 'gone' },
    );
    block.resolve();
    await running;
    assert.deepEqual([semaphore.running, semaphore.waiting], [0, 0]);
  });

  it('loses no slot in any order of starts, ends and aborts', async () => {
    const step = fc.record({ who: fc.constantFrom('a', 'b', 'c'), act: fc.constantFrom('start', 'end', 'abort') });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 60 }),
        async (slots, slotsOfCaller, steps) => {
          const semaphore = open({ slots, slotsOfCaller });
          const all: { who: string; end(): void; abort(): void; over: Promise<unknown> }[] = [];
          for (const { who, act } of steps) {
            if (act === 'start') {
              const gone = new AbortController();
              const work = Promise.withResolvers<void>();
              const over = semaphore.run(who, () => work.promise, gone.signal).catch(() => undefined);
              all.push({ who, end: work.resolve, abort: () => gone.abort(), over });
            } else {
              const started = all.find((one) => one.who === who);
              if (act === 'end') started?.end();
              else started?.abort();
            }
            await nextTurn();
            assert.ok(semaphore.running <= slots);
          }
          for (const one of all) one.end();
          await Promise.all(all.map((one) => one.over));
          assert.deepEqual([semaphore.running, semaphore.waiting], [0, 0]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

function open(options: Partial<FairSemaphoreOptions> & Pick<FairSemaphoreOptions, 'slots'>): FairSemaphore {
  const refusal = () => new Unavailable('too_many_tests', 'Too many tests wait.');
  return new FairSemaphore({ maxWaiting: 100, refusal, ...options });
}
