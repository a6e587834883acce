import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { IngestSteps, RETRY_TABLE, SCANNING_TABLE } from './ingest-steps.ts';
import type { IngestTask } from './ingest-task.ts';
import { NotificationQueues } from './notification-queues.ts';
import { dropChance, levelOf } from './sampling.ts';

describe('steps of files in bulk', () => {
  it('park equal files behind the one that is analysed, and finish them with its score', async (context) => {
    const { steps, started, told } = await fixture(context);
    await steps.submit(taskOf('a'));
    await steps.submit(taskOf('b'));
    await steps.submit(taskOf('a'));
    assert.deepEqual(started, ['a', 'a']);
    assert.equal(await steps.inFlight(), 1);
    await steps.completed(completedOf('a', 42), 'skipped');
    assert.deepEqual(
      (await told()).map((one) => [one.ingest_id, one.submission.sid, one.score]),
      [
        ['a', 'a', 42],
        ['b', 'a', 42],
      ],
    );
    await steps.completed(completedOf('a', 42), 'skipped');
    assert.deepEqual(await told(), []);
    assert.equal(await steps.inFlight(), 0);
  });

  it('answer from a fresh score, and analyse again when it is stale or has to be ignored', async (context) => {
    const { steps, told, clock } = await fixture(context);
    const none = async () => 0;
    await steps.submit(taskOf('a'));
    await steps.completed(completedOf('a', 7), 'skipped');
    await told();
    assert.equal(await steps.decide(taskOf('b'), none), undefined);
    assert.deepEqual(
      (await told()).map((one) => [one.ingest_id, one.score]),
      [['b', 7]],
    );
    const ignoring = { ...taskOf('c'), params: { ...taskOf('c').params, ignore_cache: true } };
    assert.equal((await steps.decide(ignoring, none))?.ingestId, 'c');
    clock.now += 86_400_000;
    assert.equal(
      (await steps.decide({ ...taskOf('d'), time: new Date(clock.now).toISOString() }, none))?.ingestId,
      'd',
    );
  });

  it('drop with a notification what is too large, unimportant or too much', async (context) => {
    const { steps, told } = await fixture(context);
    const dropped = async (task: IngestTask, length: number) => {
      assert.equal(await steps.decide(task, async () => length), undefined);
      return (await told())[0]?.failure;
    };
    const large = { ...taskOf('a'), files: [{ name: 'a', size: 1e12, sha256: 'a'.repeat(64) }] };
    assert.match(String(await dropped(large, 0)), /^File too large \(1000000000000 > /);
    assert.equal(await dropped(taskOf('b', { priority: 1 }), 0), 'Skipped');
    assert.equal(await dropped(taskOf('c', { priority: 50 }), 30_000_000), 'Skipped');
    const kept = taskOf('d', { priority: 1, never_drop: true });
    assert.equal((await steps.decide(kept, async () => 1e9))?.ingestId, 'd');
  });

  it('try again what could not be submitted, ten times, then give it up', async (context) => {
    const { steps, tables, told, failing } = await fixture(context);
    failing.now = true;
    await steps.submit(taskOf('a'));
    assert.equal(await steps.inFlight(), 0);
    const entry = (await tables.get(RETRY_TABLE, 'a')) as { task: IngestTask };
    assert.equal(entry.task.retries, 1);
    await steps.submit({ ...taskOf('a'), retries: 10 });
    assert.deepEqual(
      (await told()).map((one) => [one.ingest_id, one.failure]),
      [['a', 'no dispatcher']],
    );
    assert.equal(await tables.size(SCANNING_TABLE), 0);
  });

  it('end what waits for a submission that was deleted', async (context) => {
    const { steps, told } = await fixture(context);
    await steps.submit(taskOf('a'));
    await steps.ended(
      { sid: 'a', submitter: 'anna', quota_item: false, scan_key: 'key', cancelled: true },
      undefined,
      'skipped',
    );
    assert.deepEqual(
      (await told()).map((one) => one.failure),
      ['Submission deleted'],
    );
    assert.equal(await steps.inFlight(), 0);
  });
});

describe('sampling', () => {
  it('begins where a queue is too long, and grows with it', () => {
    assert.deepEqual([dropChance(10, 10), dropChance(0, 10)], [0, 0]);
    assert.ok(Math.abs(dropChance(15, 10) - 0.7616) < 0.001);
    assert.ok(dropChance(30, 10) > 0.999);
    assert.deepEqual([1, 100, 101, 200, 300, 400, 401].map(levelOf), [
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'critical',
      'user',
    ]);
  });
});

function taskOf(ingestId: string, params: object = {}): IngestTask {
  return {
    ingestId,
    time: '2026-01-02T03:04:05.000000Z',
    files: [{ name: 'a', size: 1, sha256: 'a'.repeat(64) }],
    metadata: {},
    params: { submitter: 'anna', priority: 100, services: { selected: [] }, ignore_size: false, ...params } as never,
    notification: { queue: 'q', threshold: null },
    scanKey: 'key',
    retries: 0,
  };
}

function completedOf(sid: string, score: number): Submission {
  const { params, files } = taskOf(sid);
  return {
    sid,
    scan_key: 'key',
    max_score: score,
    error_count: 0,
    params,
    files,
    state: 'completed',
  } as unknown as Submission;
}

async function fixture(context: TestContext) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const clock = { now: Date.parse('2026-01-02T03:05:00Z') };
  const failing = { now: false };
  const started: string[] = [];
  const scores = new Map<string, never>();
  const notifications = new NotificationQueues(coordination.queues, () => clock.now);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const steps = new IngestSteps({
    tables: coordination.tables,
    submissions: { get: async () => undefined, save: async () => ({}) as never },
    filescores: {
      get: async (key: string) => scores.get(key),
      save: async (key: string, score: unknown) => scores.set(key, score as never) as never,
      delete: async (key: string) => scores.delete(key),
    } as never,
    submit: {
      start: async ({ sid = '' }: { sid?: string }) => {
        if (failing.now) throw new Error('no dispatcher');
        started.push(sid);
        return {} as Submission;
      },
      expiryOf: () => undefined,
    },
    actions: { cacheHit: async () => 'skipped' },
    quotas: { release: async () => undefined },
    notifications,
    settings: loadConfig({ environment: {} }).analysis,
    log,
    now: () => clock.now,
    random: () => 0.5,
  });
  const told = () => notifications.take('anna', 'q');
  return { steps, started, told, clock, failing, tables: coordination.tables };
}
