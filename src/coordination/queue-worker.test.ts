import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../errors/errors.ts';
import { until } from '../testing/until.ts';
import { openEmbeddedCoordination } from './embedded/embedded-coordination.ts';
import { QueueWorker, type QueueWorkerOptions } from './queue-worker.ts';

const log = { warn() {}, error() {} };

describe('a worker of a queue', () => {
  let coordination: Awaited<ReturnType<typeof openEmbeddedCoordination>>;
  const started: QueueWorker[] = [];
  beforeEach(async () => {
    coordination = await openEmbeddedCoordination({ folder: 'memory' });
  });
  afterEach(async () => {
    for (const worker of started.splice(0)) await worker.stop();
    await coordination.close();
  });
  const start = (options: Partial<QueueWorkerOptions> & Pick<QueueWorkerOptions, 'work'>) => {
    const worker = new QueueWorker({ queue: 'q', coordination, batchSize: 3, batchTimeout: 1000, log, ...options });
    started.push(worker);
    worker.start();
    return worker;
  };
  const push = (...items: unknown[]) => coordination.queues.push('q', items);
  const isEmpty = async () => (await coordination.queues.clear('q')) === 0;

  it('takes what is there in batches, in order, and removes it', async () => {
    const batches: (readonly unknown[])[] = [];
    await push(1, 2, 3, 4);
    start({ work: async (items) => void batches.push(items) });
    await until('four items were worked on', () => batches.flat().length === 4);
    assert.deepEqual(batches, [[1, 2, 3], [4]]);
    await push(5);
    await until('a later item was worked on', () => batches.flat().length === 5);
    await started[0]?.stop();
    assert.ok(await isEmpty());
  });

  it('lets items that keep arriving join a batch', async () => {
    const batches: (readonly unknown[])[] = [];
    start({ batchSize: 100, work: async (items) => void batches.push(items) });
    for (let item = 0; item < 5; item += 1) await push(item);
    await until('all were worked on', () => batches.flat().length === 5);
    assert.ok(batches.length <= 2, `${batches.length} batches`);
  });

  it('repeats a batch while something is unavailable, and no other', async () => {
    const attempts: unknown[] = [];
    await push('a', 'b');
    start({
      batchSize: 1,
      work: async ([item]) => {
        attempts.push(item);
        if (item === 'a' && attempts.length === 1) throw new Unavailable('datastore_unavailable', 'gone');
        if (item === 'b') throw new Error('a defect');
      },
    });
    await until('both were worked on', () => attempts.length === 3);
    assert.deepEqual(attempts, ['a', 'a', 'b']);
    await started[0]?.stop();
    assert.ok(await isEmpty());
  });

  it('repeats the items of a batch that failed one by one, and drops those that fail again', async () => {
    const done: unknown[] = [];
    const removed: unknown[] = [];
    await push(1, 'bad', 2);
    start({
      work: async (items) => {
        if (items.includes('bad')) throw new Error('a defect');
        done.push(...items);
      },
      removed: async (items) => void removed.push(...items),
    });
    await until('they were removed', () => removed.length > 0);
    assert.deepEqual(
      [done, removed],
      [
        [1, 2],
        [1, 'bad', 2],
      ],
    );
    await started[0]?.stop();
    assert.ok(await isEmpty());
  });

  it('works in one process at a time, and the next continues when it ends', async () => {
    const workedBy: string[] = [];
    const first = start({ work: async () => void workedBy.push('first') });
    start({ work: async () => void workedBy.push('second') });
    await push(1);
    await until('the first works', () => workedBy.length === 1);
    await first.stop();
    await push(2);
    await until('the second works', () => workedBy.length === 2);
    assert.deepEqual(workedBy, ['first', 'second']);
  });

  it('takes what is not JSON like any item, and the items behind it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'triad-queue-'));
    const open = () => openEmbeddedCoordination({ folder });
    const before = await open();
    await before.queues.push('q', ['damaged', 'fine']);
    await before.close();
    const database = new DatabaseSync(join(folder, 'coordination.db'));
    database.exec(`UPDATE queue_items SET item = '{"ids":[' WHERE item = '"damaged"'`);
    database.close();
    const reopened = await open();
    try {
      const batches: (readonly unknown[])[] = [];
      start({ coordination: reopened, work: async (items) => void batches.push(items) });
      await until('both were taken', () => batches.length > 0);
      assert.deepEqual(batches, [[undefined, 'fine']]);
    } finally {
      await started.pop()?.stop();
      await reopened.close();
      await rm(folder, { recursive: true });
    }
  });

  it('continues when coordination was lost, also during a batch', async () => {
    let isLost = false;
    const unlessLost = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) => {
      return async (...args: Args): Promise<Result> => {
        if (isLost) throw new Unavailable('coordination_unavailable', 'gone');
        return call(...args);
      };
    };
    const queues = { ...coordination.queues, take: unlessLost(coordination.queues.take) };
    const locks = { ...coordination.locks, acquire: unlessLost(coordination.locks.acquire) };
    const workedOn: unknown[] = [];
    await push(1, 2);
    start({
      coordination: { queues: queues as typeof coordination.queues, locks },
      batchSize: 1,
      work: async ([item]) => {
        workedOn.push(item);
        isLost = workedOn.length === 1;
      },
    });
    await until('it lost coordination', () => isLost);
    await sleep(300);
    isLost = false;
    await until('it continued', () => workedOn.includes(2));
    assert.deepEqual(workedOn, [1, 2]);
  });

  it('abandons a batch that does not end, when it stops', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isBusy = false;
    const errors: unknown[] = [];
    await push(1);
    const worker = start({
      stopTimeout: 50,
      log: { warn() {}, error: (_entry: unknown, message?: string) => void errors.push(message) },
      work: () => {
        isBusy = true;
        return promise;
      },
    });
    await until('it works', () => isBusy);
    await worker.stop();
    assert.deepEqual(errors, ['a batch did not end within 50 ms; it is delivered again']);
    resolve();
  });

  it('finishes its batch before it stops', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isBusy = false;
    await push(1);
    const worker = start({
      work: async () => {
        isBusy = true;
        await promise;
      },
    });
    await until('it works', () => isBusy);
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    await Promise.resolve();
    assert.equal(isStopped, false);
    resolve();
    await stopping;
    assert.ok(await isEmpty());
  });
});
