import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { removeKeys } from '../../coordination/redis/conformance-subjects.ts';
import { openRedisCoordination } from '../../coordination/redis/redis-coordination.ts';
import { aService, openDispatch, receiptOf } from '../../testing/analysis/dispatch-fixture.ts';
import { outsideServer } from '../../testing/servers/outside-servers.ts';

const { url, unavailable } = outsideServer('redis');
const skip = unavailable ?? false;
const SUBMISSIONS = 20;
/** Milliseconds until another process has taken over what a dead one had. */
const LONGEST_ADOPTION = 30_000;

describe('dispatchers of two processes on Redis', () => {
  it('share submissions, workers and watchers, and complete those of a process that died', {
    skip,
  }, async (context) => {
    const prefix = `test-${randomUUID()}`;
    const [one, two] = await Promise.all([0, 1].map(() => openRedisCoordination({ url, prefix })));
    assert.ok(one && two);
    const test = await openDispatch(context, { services: [aService('A'), aService('B', { stage: 'POST' })] });
    const log = { info() {}, warn() {}, error() {} };
    const [dying, living] = [
      test.makeDispatcher({ coordination: one, log }),
      test.makeDispatcher({ coordination: two, log }),
    ];
    for (const dispatcher of [dying, living]) dispatcher.start();
    context.after(async () => {
      await Promise.all([dying.stop().catch(() => undefined), living.stop()]);
      await Promise.all([one.close(), two.close()]);
      await removeKeys(url, prefix);
    });
    const poll = (service: string) =>
      living
        .nextTask({ service, version: '1', worker: 'w', wait: LONGEST_ADOPTION })
        .then((task) => task ?? assert.fail());
    const error = (key: string) => ({ kind: 'error', key, isRecoverable: false, message: '' }) as const;

    const sids = [];
    for (let count = 0; count < SUBMISSIONS; count += 1) sids.push(await test.submit(`file ${count}`, { via: dying }));
    const done = new Set<string>();
    for (let count = 0; count < SUBMISSIONS / 2; count += 1) {
      const task = await poll('A');
      assert.equal(await living.finish(receiptOf(task), error(task.task_id)), 'accepted');
      done.add(task.sid);
    }
    const running = await poll('A');
    assert.deepEqual(await living.outstanding(running.sid), { A: 1 });
    const watcher = await living.watch(running.sid);
    assert.ok(watcher);

    // Its memory and its leases are all that is lost.
    const began = performance.now();
    await one.close();
    assert.equal(await living.finish(receiptOf(running), error('of the dead')), 'accepted', 'its worker lived on');
    assert.ok(performance.now() - began < LONGEST_ADOPTION);
    for (let count = done.size + 1; count < SUBMISSIONS; count += 1) {
      const task = await poll('A');
      assert.ok(!done.has(task.sid), 'a finished analyzer ran again');
      await living.finish(receiptOf(task), error(task.task_id));
    }
    for (let count = 0; count < SUBMISSIONS; count += 1) {
      const task = await poll('B');
      await living.finish(receiptOf(task), error(task.task_id));
    }
    for (const sid of sids) assert.equal((await test.completed(sid)).error_count, 2);
    const messages = await living.watchQueues.take(watcher, { wait: 1000 });
    assert.deepEqual(
      messages.map(({ status }) => status),
      ['START', 'FAIL', 'FAIL', 'STOP'],
    );
    context.diagnostic(`adopted within ${Math.round(performance.now() - began)} ms`);
  });
});
