import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { SourceTurns } from './source-turns.ts';

const FOREVER = new AbortController().signal;

describe('SourceTurns', () => {
  it('runs as many calls as there are slots, and frees slots after failures too', async () => {
    const turns = new SourceTurns({ source: 'a', concurrency: 4 });
    let working = 0;
    let most = 0;
    const work = async () => {
      working += 1;
      most = Math.max(most, working);
      await nextTurn();
      working -= 1;
      if (working === 0) throw new Error('a failed call');
    };
    await Promise.allSettled(Array.from({ length: 30 }, (_, number) => turns.take(`${number}`, FOREVER, work)));
    assert.equal(most, 4);
    assert.equal(await turns.take('after', FOREVER, async () => 'done'), 'done');
    assert.deepEqual([turns.working, turns.waiting], [0, 0]);
  });

  it('serves users in turn, however many calls one of them sends', async () => {
    const turns = new SourceTurns({ source: 'a', concurrency: 1 });
    const order: string[] = [];
    const take = (who: string) =>
      turns.take(who, FOREVER, async () => {
        await nextTurn();
        order.push(who);
      });
    const flood = Array.from({ length: 5 }, () => take('flood'));
    await Promise.all([...flood, take('other'), take('third'), take('other')]);
    assert.deepEqual(order, ['flood', 'flood', 'other', 'third', 'flood', 'other', 'flood', 'flood']);
  });

  it('keeps a slot for others while the calls of one user hang', async () => {
    const turns = new SourceTurns({ source: 'a', concurrency: 4 });
    const hanging = Promise.withResolvers<void>();
    const stuck = Array.from({ length: 50 }, () => turns.take('hostile', FOREVER, () => hanging.promise));
    assert.deepEqual([turns.working, turns.waiting], [3, 47]);
    for (let round = 0; round < 20; round += 1) {
      assert.equal(await turns.take('other', FOREVER, async () => 'served'), 'served');
    }
    hanging.resolve();
    await Promise.all(stuck);
    assert.deepEqual([turns.working, turns.waiting], [0, 0]);
  });

  it('refuses a flood of one user and still admits others', async () => {
    const turns = new SourceTurns({ source: 'feed', concurrency: 1 });
    const block = Promise.withResolvers<void>();
    const first = turns.take('flood', FOREVER, () => block.promise);
    const flood = Array.from({ length: 1001 }, () => turns.take('flood', FOREVER, nextTurn));
    const other = turns.take('other', FOREVER, async () => 'served');
    await assert.rejects(flood.pop() as Promise<void>, {
      kind: 'refused',
      reason: 'too_many_waiting',
      message: 'Too many calls wait for feed. Send fewer requests at the same time.',
    });
    block.resolve();
    assert.equal(await other, 'served');
    await Promise.all([first, ...flood]);
    // A third user finds the queue full when two have taken their halves of it.
    const again = Promise.withResolvers<void>();
    const all = [turns.take('one', FOREVER, () => again.promise)];
    for (const who of ['one', 'two']) {
      for (let count = 0; count < 1000; count += 1) all.push(turns.take(who, FOREVER, async () => {}));
    }
    await assert.rejects(turns.take('three', FOREVER, nextTurn), { reason: 'too_many_waiting' });
    again.resolve();
    await Promise.all(all);
  });

  it('loses no slot in any order of calls, ends and hang-ups', async () => {
    const step = fc.record({ who: fc.constantFrom('a', 'b', 'c'), act: fc.constantFrom('call', 'end', 'hang up') });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 60 }),
        async (concurrency, steps) => {
          const turns = new SourceTurns({ source: 'a', concurrency });
          const calls: { who: string; end(): void; hangUp(): void; over: Promise<unknown> }[] = [];
          for (const { who, act } of steps) {
            if (act === 'call') {
              const gone = new AbortController();
              const work = Promise.withResolvers<void>();
              const over = turns.take(who, gone.signal, () => work.promise).catch(() => undefined);
              calls.push({ who, end: work.resolve, hangUp: () => gone.abort(), over });
            } else {
              const call = calls.find((one) => one.who === who);
              if (act === 'end') call?.end();
              else call?.hangUp();
            }
            await nextTurn();
            assert.ok(turns.working <= concurrency);
          }
          for (const call of calls) call.end();
          await Promise.all(calls.map((call) => call.over));
          assert.deepEqual([turns.working, turns.waiting], [0, 0]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('does not run a call whose caller is gone', async () => {
    const turns = new SourceTurns({ source: 'a', concurrency: 1 });
    const gone = AbortSignal.abort(new Error('gone'));
    await assert.rejects(
      turns.take('a', gone, () => assert.fail('ran')),
      { message: 'gone' },
    );
    assert.equal(turns.working, 0);
  });
});
