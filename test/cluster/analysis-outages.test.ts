import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ScriptedWorker } from '../../src/testing/analysis/scripted-worker.ts';
import { slowness } from '../../src/testing/machine-speed.ts';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { type StartedServer, startServer } from '../servers/start-server.ts';
import { AnalysisClient, assertWhole } from './analysis-client.ts';
import { clusterFixture } from './cluster-fixture.ts';

/** Seconds after which a call of a server fails. */
const TIMEOUT = '3';
/** Milliseconds for which a server is away. */
const OUTAGE = 3000;
/** Milliseconds after which everything that was accepted is completed. */
const LONGEST_END = 90_000;
/** Services that look at each file: the built-in one and the one over the protocol. */
const SERVICES = 2;

describe('the analysis service while a server behind it is away', () => {
  const reason = (['opensearch', 'redis', 's3'] as const)
    .map((name) => outsideServer(name).unavailable)
    .find((one) => one !== undefined);
  if (reason !== undefined) {
    it('not run', { skip: reason });
    return;
  }

  let servers: Record<'redis' | 'opensearch' | 's3', StartedServer>;
  let program: SpawnedProgram;
  const ending = new AbortController();
  let working: Promise<void>;
  before(async () => {
    const [redis, opensearch, s3] = await Promise.all([
      startServer('redis', { env: { APPENDONLY: 'yes' } }),
      startServer('opensearch'),
      startServer('s3'),
    ]);
    servers = { redis, opensearch, s3 };
    const environment = {
      ...clusterFixture('opensearch', opensearch.url).environment,
      SVC_COORDINATION_TYPE: 'redis',
      SVC_COORDINATION_URL: redis.url,
      SVC_FILES_TYPE: 's3',
      SVC_FILES_URL: `${s3.url}/outages-${randomUUID()}`,
      SVC_FILES_ACCESS_KEY: 'testkey',
      SVC_FILES_SECRET_KEY: 'testsecret',
      SVC_FILES_TIMEOUT: TIMEOUT,
      SVC_UI_ENFORCE_QUOTA: 'false',
    };
    // Indices are made with the usual timeout: a server that has just started takes its time.
    await (await spawnProgram({ flags: ['--demo=users'], environment, timeout: 120_000 })).stop();
    program = await spawnProgram({ environment: { ...environment, SVC_DATASTORE_TRANSPORT_TIMEOUT: TIMEOUT } });
    const worker = new ScriptedWorker(program.addresses.services ?? '', 'Outside');
    await worker.register();
    working = workAsClientsDo(worker, ending.signal);
    // A refusal fails the end of the tests.
    working.catch(() => undefined);
  });
  after(async () => {
    ending.abort();
    await program?.kill();
    await working;
    await Promise.all(Object.values(servers ?? {}).map((server) => server[Symbol.asyncDispose]()));
  });

  /** Sends files while `disturb` runs; what was accepted has to complete. */
  const assertGoesOn = async (disturb: () => Promise<void>): Promise<string> => {
    const client = new AnalysisClient(program.addresses.analysis ?? '');
    const sending = client.keepSending();
    await sleep(1000);
    await disturb();
    const accepted = client.submitted.length;
    for (const start = performance.now(); client.submitted.length < accepted + 5; ) {
      assert.ok(performance.now() - start < 120_000, `not resumed: ${client.refused.at(-1)?.message}`);
      await sleep(50);
    }
    client.end();
    await sending;
    const started = performance.now();
    assertWhole(await client.completed(LONGEST_END * slowness()), SERVICES);
    for (const { status, retryAfter, message } of client.refused) {
      assert.equal(status, 503, message);
      assert.match(retryAfter ?? '', /^[1-9]\d*$/, message);
    }
    assert.ok(client.refused.length > 0, 'nothing was refused');
    const completed = `completed after ${Math.round(performance.now() - started)} ms`;
    return `${client.submitted.length} + ${client.ingested.length} accepted, ${client.refused.length} refused, ${completed}`;
  };

  for (const name of ['redis', 'opensearch'] as const) {
    it(`refuses with 503 and Retry-After while ${name} is killed, and completes what it accepted`, async (test) => {
      const outcome = await assertGoesOn(async () => {
        await servers[name].kill();
        await sleep(OUTAGE);
        await servers[name].start();
      });
      test.diagnostic(outcome);
    });
  }

  it('refuses with 503 and Retry-After while s3 hangs, and completes what it accepted', async (test) => {
    const outcome = await assertGoesOn(async () => {
      servers.s3.freeze();
      await sleep(2 * OUTAGE);
      servers.s3.resume();
    });
    test.diagnostic(outcome);
  });
});

/**
 * Works as the client of the public system does: it repeats calls after lost connections alone.
 * Any other refusal would end it, or lose the result.
 */
async function workAsClientsDo(worker: ScriptedWorker, signal: AbortSignal): Promise<void> {
  const patiently = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    while (!signal.aborted) {
      try {
        return await call();
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!(error instanceof TypeError)) throw error;
        await sleep(100);
      }
    }
    return undefined;
  };
  while (!signal.aborted) {
    const task = await patiently(() => worker.poll(2, signal));
    if (task === undefined) continue;
    const path = `/api/v1/file/${task.fileinfo.sha256}/`;
    const file = await patiently(() => worker.call('GET', path, { signal }));
    const answer = await patiently(() => worker.deliver(task));
    if (signal.aborted) return;
    assert.equal(file?.status, 200, file?.message);
    assert.deepEqual([answer?.status, answer?.data], [200, { success: true }], answer?.message);
  }
}
