import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyedMutex } from './keyed-mutex.ts';

describe('KeyedMutex', () => {
  it('runs tasks of one name one after the other, in order, regardless of what becomes of them', async () => {
    const turns = new KeyedMutex();
    const seen: string[] = [];
    const task = (name: string, wait: number) => async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, wait));
      seen.push(`${name} ends`);
      if (name === 'second') throw new Error('refused');
      return name;
    };
    const first = turns.take('a', task('first', 20));
    const second = turns.take('a', task('second', 5));
    const third = turns.take('a', task('third', 0));
    assert.equal(await first, 'first');
    await assert.rejects(second, { message: 'refused' });
    assert.equal(await third, 'third');
    assert.deepEqual(seen, [
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
  });

  it('lets tasks of other names run meanwhile', async () => {
    const turns = new KeyedMutex();
    let release = () => {};
    const held = turns.take('a', () => new Promise<void>((resolve) => (release = resolve)));
    assert.equal(await turns.take('b', async () => 'done'), 'done');
    release();
    await held;
  });
});
