import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { INCOMING_QUEUE } from './ingest-service.ts';
import type { IngestSteps } from './ingest-steps.ts';
import type { IngestTask } from './ingest-task.ts';
import { Ingester } from './ingester.ts';

const FILES = 60;

/** An ingester whose steps do nothing but note the files, and 60 files that wait. */
async function openIngester(room: () => Promise<boolean>) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const submitted: string[] = [];
  const steps = {
    inFlight: async () => 0,
    decide: async (task: IngestTask) => task,
    submit: async ({ ingestId }: IngestTask) => {
      submitted.push(ingestId);
    },
  } as unknown as IngestSteps;
  const ingester = new Ingester({
    queues: coordination.queues,
    steps,
    arrivals: { room },
    settings: { max_inflight: 5000 },
    isActive: async () => true,
    log: { warn: (entry) => assert.fail(JSON.stringify(entry)), error: (entry) => assert.fail(JSON.stringify(entry)) },
  });
  const ids = Array.from({ length: FILES }, (_, index) => `file${index}`);
  const tasks = ids.map((ingestId) => ({ ingestId, params: { priority: 100 } }));
  await coordination.queues.push(INCOMING_QUEUE, tasks, { ids });
  return {
    submitted,
    ingester,
    queues: coordination.queues,
    async [Symbol.asyncDispose]() {
      await ingester.stop();
      await coordination.close();
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

describe('Ingester', () => {
  it('takes many files at a time while there is room', { timeout: 20_000 }, async () => {
    let turns = 0;
    await using opened = await openIngester(async () => {
      turns += 1;
      await sleep(20);
      return true;
    });
    opened.ingester.start();
    await until(() => opened.submitted.length === FILES);
    assert.ok(turns <= 12, `${turns} turns`);
  });

  it('waits for a burst of requests, and continues behind it', { timeout: 20_000 }, async () => {
    const { promise: end, resolve } = Promise.withResolvers<boolean>();
    await using opened = await openIngester(() => end);
    opened.ingester.start();
    await sleep(100);
    assert.deepEqual(opened.submitted, []);
    resolve(true);
    await until(() => opened.submitted.length === FILES);
  });

  it('takes a few files at a time during a burst that does not end', { timeout: 20_000 }, async () => {
    let turns = 0;
    await using opened = await openIngester(async () => {
      turns += 1;
      await sleep(20);
      return false;
    });
    opened.ingester.start();
    await until(() => opened.submitted.length === FILES);
    assert.ok(turns >= FILES / 16, `${turns} turns`);
  });

  it('stops at once when nothing comes in, and loses nothing that comes afterwards', { timeout: 20_000 }, async () => {
    await using opened = await openIngester(async () => true);
    const { ingester, queues, submitted } = opened;
    ingester.start();
    await until(() => submitted.length === FILES);
    // It waits for the next file now.
    await sleep(50);
    const began = performance.now();
    await ingester.stop();
    assert.ok(performance.now() - began < 1000, 'it waited for a file');
    await queues.push(INCOMING_QUEUE, [{ ingestId: 'late', params: { priority: 100 } }], { ids: ['late'] });
    await sleep(50);
    const [left] = await queues.take<IngestTask>(INCOMING_QUEUE);
    assert.equal(left?.item.ingestId, 'late');
  });
});
