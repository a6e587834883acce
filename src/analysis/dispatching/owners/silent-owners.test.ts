import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Lock, Queues } from '../../../coordination/coordination.ts';
import { aService, hashOf, openDispatch, receiptOf } from '../../../testing/analysis/dispatch-fixture.ts';
import { until } from '../../../testing/until.ts';

const TASKS = 20;
const NONE = [new Map(), new Map()];

describe('tasks of a dispatcher that does not answer', () => {
  it('hold no worker up that tasks of other dispatchers wait for', async (context) => {
    const { test, living, sleeper, poll } = await openTwo(context);
    await submitAll(test, sleeper.dispatcher);
    sleeper.fallAsleep();
    const own = await test.submit('own', { via: living });
    const given = await Promise.all(['1', '2'].map((worker) => poll(worker, 1900)));
    assert.deepEqual(
      given.flatMap((task) => task?.sid ?? []),
      [own],
    );
    for (let count = 0; count < 3; count += 1) {
      const sid = await test.submit(`own ${count}`, { via: living });
      const asked = performance.now();
      assert.equal((await poll('1', 5000))?.sid, sid);
      assert.ok(performance.now() - asked < 1500, `${performance.now() - asked} ms`);
    }
  });

  it('are drawn a few times a second at most', async (context) => {
    const { test, sleeper, poll, counts } = await openTwo(context);
    await submitAll(test, sleeper.dispatcher);
    sleeper.fallAsleep();
    await poll('1', 1500);
    const before = counts.taken;
    assert.equal(await poll('1', 3000), undefined);
    assert.ok(counts.taken - before <= 3 * TASKS, `${counts.taken - before} times`);
  });

  it('are handed out when it answers again, each once and as their first attempt', async (context) => {
    const opened = await openTwo(context);
    const { test, living, sleeper, poll } = opened;
    const sids = await submitAll(test, sleeper.dispatcher);
    sleeper.fallAsleep();
    const own = await test.submit('own', { via: living });
    assert.equal((await poll('1', 5000))?.sid, own);
    assert.equal(await poll('1', 2500), undefined);
    sleeper.wakeUp();
    await assertAllHandedOut(opened, sids);
  });

  it('are handed out when its submissions are adopted, each once and as their first attempt', async (context) => {
    const opened = await openTwo(context);
    const { test, sleeper, poll } = opened;
    const sids = await submitAll(test, sleeper.dispatcher);
    sleeper.fallAsleep();
    assert.equal(await poll('1', 2500), undefined);
    await sleeper.die();
    await assertAllHandedOut(opened, sids);
  });
});

type Opened = Awaited<ReturnType<typeof openTwo>>;

async function submitAll(test: Opened['test'], via: Opened['living']): Promise<ReadonlySet<string>> {
  const sids = new Set<string>();
  for (let count = 0; count < TASKS; count += 1) sids.add(await test.submit(`file ${count}`, { via }));
  return sids;
}

async function assertAllHandedOut({ test, living, sleeper, poll }: Opened, sids: ReadonlySet<string>): Promise<void> {
  const given = new Set<string>();
  while (given.size < sids.size) {
    const task = (await poll('1', 20_000)) ?? assert.fail(`no task after ${given.size}`);
    assert.ok(sids.has(task.sid) && !given.has(task.sid), 'a task was handed out again');
    given.add(task.sid);
    const error = { kind: 'error', key: hashOf(task.sid), isRecoverable: false, message: '' } as const;
    assert.equal(await living.finish(receiptOf(task), error), 'accepted');
  }
  for (const sid of sids) assert.deepEqual((await test.completed(sid)).errors, [hashOf(sid)]);
  for (const { counts } of [living, sleeper.dispatcher]) assert.deepEqual([counts.retries, counts.retryErrors], NONE);
}

/** Two dispatchers over one coordination: one that lives, and one that can stop to read its letters. */
async function openTwo(context: TestContext) {
  const test = await openDispatch(context, { services: [aService('A')] });
  const { coordination } = test;
  const { queues, locks } = coordination;
  const counts = { taken: 0 };
  let awake: PromiseWithResolvers<void> | undefined;
  let lock: Lock | undefined;
  let isDead = false;
  const living = test.makeDispatcher({
    coordination: {
      ...coordination,
      queues: {
        ...queues,
        async take<T>(queue: string, options?: Parameters<Queues['take']>[1]) {
          const items = await queues.take<T>(queue, options);
          if (queue === 'service:A') counts.taken += items.length;
          return items;
        },
      },
    },
  });
  const dispatcher = test.makeDispatcher({
    coordination: {
      ...coordination,
      queues: {
        ...queues,
        async take<T>(queue: string, options?: Parameters<Queues['take']>[1]) {
          await awake?.promise;
          const items = await queues.take<T>(queue, options);
          if (awake === undefined) return items;
          for (const item of items) await item.giveBack();
          return [];
        },
      },
      locks: {
        async acquire(name, lease, options) {
          if (isDead) throw new Error('dead');
          const given = await locks.acquire(name, lease, options);
          if (given === undefined || !name.endsWith(dispatcher.id)) return given;
          lock = given;
          return {
            renew: (longer) => (isDead ? Promise.reject(new Error('dead')) : given.renew(longer)),
            release: () => given.release(),
          };
        },
      },
    },
  });
  for (const one of [living, dispatcher]) one.start();
  context.after(async () => {
    awake?.resolve();
    await Promise.all([living.stop(), dispatcher.stop()]);
  });
  await until('it has its lease', () => lock !== undefined);
  return {
    test,
    living,
    counts,
    poll: (worker: string, wait: number) => living.nextTask({ service: 'A', version: '1', worker, wait }),
    sleeper: {
      dispatcher,
      fallAsleep: () => {
        awake = Promise.withResolvers();
      },
      wakeUp: () => {
        awake?.resolve();
        awake = undefined;
      },
      /** Ends the lease, so that its submissions are adopted. */
      die: async () => {
        isDead = true;
        await lock?.release();
      },
    },
  };
}
