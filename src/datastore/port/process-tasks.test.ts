import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../testing/until.ts';
import { ProcessTasks } from './process-tasks.ts';

describe('ProcessTasks', () => {
  it('tells how far a task is, and what failed, without waiting for it', async () => {
    const tasks = new ProcessTasks();
    const going = Promise.withResolvers<void>();
    const id = tasks.begin(3, async (notes) => {
      notes.created += 1;
      await going.promise;
      notes.failures.push('b: too large');
      throw new Error('the disk is full');
    });
    assert.deepEqual(tasks.status(id), { done: false, total: 3, created: 1, failures: [] });
    going.resolve();
    await until('the task ends', () => tasks.status(id)?.done === true);
    const failures = ['b: too large', 'the disk is full'];
    assert.deepEqual(tasks.status(id), { done: true, total: 3, created: 1, failures });
    assert.equal(tasks.status('unknown'), undefined);
  });

  it('forgets the oldest of a hundred that are done, and none that runs', async () => {
    const tasks = new ProcessTasks();
    const end = Promise.withResolvers<void>();
    const running = tasks.begin(1, () => end.promise);
    const first = tasks.begin(1, async () => {});
    await until('the first is done', () => tasks.status(first)?.done === true);
    for (let more = 0; more < 99; more += 1) tasks.begin(1, async () => {});
    assert.equal(tasks.status(first), undefined);
    assert.equal(tasks.status(running)?.done, false);
    end.resolve();
  });
});
