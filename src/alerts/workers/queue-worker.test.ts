import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { Unavailable } from '../../errors/errors.ts';
import { until } from '../../testing/until.ts';
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
