import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { completedSubmission, ingestTask, openIngestSteps } from '../../testing/analysis/ingest-fixture.ts';
import { INCOMING_QUEUE } from './ingest-service.ts';
import { RETRY_TABLE, SCANNING_TABLE } from './ingest-steps.ts';
import type { IngestTask } from './ingest-task.ts';
import { IngestUpkeep } from './ingest-upkeep.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

describe('IngestUpkeep', () => {
  it('retry: a file that could not be submitted comes in again after four minutes', async (context) => {
    const { upkeep, steps, coordination, started, clock, failing, told } = await setUp(context);
    failing.now = true;
    await steps.submit(ingestTask('a'));
    failing.now = false;
    clock.now += 3 * MINUTE;
    assert.equal(await upkeep.retry(), 0);
    clock.now += MINUTE;
    assert.equal(await upkeep.retry(), 1);
    assert.equal(await coordination.tables.size(RETRY_TABLE), 0);
    const [again] = await coordination.queues.take<IngestTask>(INCOMING_QUEUE);
    assert.deepEqual([again?.item.ingestId, again?.item.retries], ['a', 1]);
    await steps.submit(again?.item ?? assert.fail());
    assert.deepEqual(started, ['a']);
    await steps.completed(completedSubmission('a', 3), 'skipped');
    assert.deepEqual(
      (await told()).map(({ failure, score, retries }) => [failure, score, retries]),
      [['', 3, 1]],
    );
  });

  it('timeout: a submission without a result after two days is given up', async (context) => {
    const { upkeep, steps, coordination, clock, told, running } = await setUp(context);
    await steps.submit(ingestTask('a'));
    await steps.submit(ingestTask('b'));
    running.add('a');
    clock.now += 2 * DAY;
    await upkeep.findLost();
    assert.equal(await steps.inFlight(), 1);
    clock.now += 1;
    await upkeep.findLost();
    assert.equal(await coordination.tables.size(SCANNING_TABLE), 0);
    assert.deepEqual(
      (await told()).map(({ ingest_id, failure, score }) => [ingest_id, failure, score]),
      [
        ['a', 'Submission timed out', null],
        ['b', 'Submission timed out', null],
      ],
    );
    assert.deepEqual([steps.counts.timed_out, steps.counts.completed], [1, 0]);
  });

  it('finishes a completed submission whose message was missed', async (context) => {
    const { upkeep, steps, submissions, told } = await setUp(context);
    await steps.submit(ingestTask('a'));
    submissions.set('a', completedSubmission('a', 9));
    await upkeep.findLost();
    assert.deepEqual(
      (await told()).map(({ ingest_id, score }) => [ingest_id, score]),
      [['a', 9]],
    );
    assert.equal(await steps.inFlight(), 0);
  });

  it('submits again what no dispatcher has at two looks in a row', async (context) => {
    const { upkeep, steps, started, running } = await setUp(context);
    await steps.submit(ingestTask('a'));
    await upkeep.findLost();
    running.add('a');
    await upkeep.findLost();
    running.delete('a');
    await upkeep.findLost();
    assert.deepEqual(started, ['a']);
    await upkeep.findLost();
    assert.deepEqual(started, ['a', 'a']);
  });

  it('removes queues of notifications whose oldest is older than a day', async (context) => {
    const { upkeep, steps, clock, told, coordination } = await setUp(context);
    await steps.submit(ingestTask('a'));
    await steps.completed(completedSubmission('a', 3), 'skipped');
    clock.now = Date.now() + DAY - MINUTE;
    await upkeep.removeOldNotifications();
    assert.equal((await coordination.queues.list('nq-')).length, 1);
    clock.now += 2 * MINUTE;
    await upkeep.removeOldNotifications();
    assert.deepEqual(await told(), []);
  });
});

async function setUp(context: TestContext) {
  const fixture = await openIngestSteps(context);
  const { coordination, submissions, steps, notifications, settings, clock } = fixture;
  const running = new Set<string>();
  const upkeep = new IngestUpkeep({
    coordination,
    submissions: { get: async (sid: string) => submissions.get(sid) },
    dispatcher: { isRunning: async (sid) => running.has(sid) },
    steps,
    notifications,
    settings: settings.core.plumber,
    log: { warn() {} },
    now: () => clock.now,
  });
  return { ...fixture, upkeep, running };
}
