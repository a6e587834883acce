import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Unavailable } from '../../errors/errors.ts';
import { FairSemaphore } from './fair-semaphore.ts';

const REFUSAL = () => new Unavailable('too_many_tests', 'Too many tests wait.');

describe('FairSemaphore', () => {
  it('lets no more work at a time than there are places, and hands places on after failures too', async () => {
    const turns = new FairSemaphore({ places: 2, maxWaiting: 100, refusal: REFUSAL });
    let working = 0;
    let most = 0;
    const work = async () => {
      working += 1;
      most = Math.max(most, working);
      await nextTurn();
      working -= 1;
      if (working === 0) throw new Error('one that fails');
    };
    await Promise.allSettled(Array.from({ length: 20 }, (_, number) => turns.take(`${number}`, work)));
    assert.equal(most, 2);
    assert.equal(await turns.take('after', async () => 'done'), 'done');
  });

  it('takes those who wait by turns, however many one of them sends', async () => {
    const turns = new FairSemaphore({ places: 1, maxWaiting: 100, refusal: REFUSAL });
    const order: string[] = [];
    const take = (who: string) =>
      turns.take(who, async () => {
        await nextTurn();
        order.push(who);
      });
    const flood = Array.from({ length: 5 }, () => take('flood'));
    await Promise.all([...flood, take('other'), take('third'), take('other')]);
    assert.deepEqual(order, ['flood', 'flood', 'other', 'third', 'flood', 'other', 'flood', 'flood']);
  });

  it('refuses when too many wait', async () => {
    const turns = new FairSemaphore({ places: 1, maxWaiting: 2, refusal: REFUSAL });
    const take = () => turns.take('one', nextTurn);
    const let3in = [take(), take(), take()];
    await assert.rejects(take(), { code: 'too_many_tests' });
    await Promise.all(let3in);
    await take();
  });
});
