import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Conflict, InvalidInput } from '../../errors/errors.ts';
import { completedSubmission, ingestTask, openIngestSteps } from '../../testing/analysis/ingest-fixture.ts';
import { RETRY_TABLE, SCANNING_TABLE } from './ingest-steps.ts';
import type { IngestTask } from './ingest-task.ts';
import { dropChance, levelOf } from './sampling.ts';

describe('steps of files in bulk', () => {
  it('park equal files behind the one that is analysed, and finish them with its score', async (context) => {
    const { steps, started, told } = await openIngestSteps(context);
    await steps.submit(ingestTask('a'));
    await steps.submit(ingestTask('b'));
    await steps.submit(ingestTask('a'));
    assert.deepEqual(started, ['a', 'a']);
    assert.equal(await steps.inFlight(), 1);
    await steps.completed(completedSubmission('a', 42), 'skipped');
    assert.deepEqual(
      (await told()).map((one) => [one.ingest_id, one.submission.sid, one.score]),
      [
        ['a', 'a', 42],
        ['b', 'a', 42],
      ],
    );
    await steps.completed(completedSubmission('a', 42), 'skipped');
    assert.deepEqual(await told(), []);
    assert.equal(await steps.inFlight(), 0);
  });

  it('answer from a fresh score, and analyse again when it is stale or has to be ignored', async (context) => {
    const { steps, told, clock } = await openIngestSteps(context);
    const none = async () => 0;
    await steps.submit(ingestTask('a'));
    await steps.completed(completedSubmission('a', 7), 'skipped');
    await told();
    assert.equal(await steps.decide(ingestTask('b'), none), undefined);
    assert.deepEqual(
      (await told()).map((one) => [one.ingest_id, one.score]),
      [['b', 7]],
    );
    const ignoring = { ...ingestTask('c'), params: { ...ingestTask('c').params, ignore_cache: true } };
    assert.equal((await steps.decide(ignoring, none))?.ingestId, 'c');
    clock.now += 86_400_000;
    assert.equal(
      (await steps.decide({ ...ingestTask('d'), time: new Date(clock.now).toISOString() }, none))?.ingestId,
      'd',
    );
  });

  it('drop with a notification what is too large, unimportant or too much', async (context) => {
    const { steps, told } = await openIngestSteps(context);
    const dropped = async (task: IngestTask, length: number) => {
      assert.equal(await steps.decide(task, async () => length), undefined);
      return (await told())[0]?.failure;
    };
    const large = { ...ingestTask('a'), files: [{ name: 'a', size: 1e12, sha256: 'a'.repeat(64) }] };
    assert.match(String(await dropped(large, 0)), /^File too large \(1000000000000 > /);
    assert.equal(await dropped(ingestTask('b', { priority: 1 }), 0), 'Skipped');
    assert.equal(await dropped(ingestTask('c', { priority: 50 }), 30_000_000), 'Skipped');
    const kept = ingestTask('d', { priority: 1, never_drop: true });
    assert.equal((await steps.decide(kept, async () => 1e9))?.ingestId, 'd');
  });

  it('try again what could not be submitted, ten times, then give it up', async (context) => {
    const { steps, coordination, told, failing } = await openIngestSteps(context);
    failing.now = true;
    await steps.submit(ingestTask('a'));
    assert.equal(await steps.inFlight(), 0);
    const entry = (await coordination.tables.get(RETRY_TABLE, 'a')) as { task: IngestTask };
    assert.equal(entry.task.retries, 1);
    await steps.submit({ ...ingestTask('a'), retries: 10 });
    assert.deepEqual(
      (await told()).map((one) => [one.ingest_id, one.failure]),
      [['a', 'no dispatcher']],
    );
    assert.equal(await coordination.tables.size(SCANNING_TABLE), 0);
  });

  it('always-create: a file with a fresh score gets a submission of its own with the earlier results', async (context) => {
    for (const alwaysCreate of [true, false]) {
      const { steps, told, submissions } = await openIngestSteps(context, { alwaysCreate });
      await steps.submit(ingestTask('a'));
      const analysed = completedSubmission('a', 7);
      const earlier = {
        ...analysed,
        ...{ results: ['r'], errors: ['e'], archived: true, to_be_deleted: true, archive_ts: 'then', expiry_ts: 'old' },
        times: { submitted: 'before', completed: 'before' },
      } as unknown as typeof analysed;
      submissions.set('a', earlier);
      await steps.completed(earlier, 'skipped');
      await told();
      const again = { ...ingestTask('b'), metadata: { from: 'b' } };
      assert.equal(await steps.decide(again, async () => 0), undefined);
      const [message] = await told();
      assert.deepEqual([message?.ingest_id, message?.score], ['b', 7]);
      const created = submissions.get('b');
      if (!alwaysCreate) {
        assert.equal(created, undefined);
        assert.equal(message?.submission.sid, 'a');
        continue;
      }
      assert.equal(message?.submission.sid, 'b');
      for (const member of ['results', 'errors', 'error_count', 'files', 'max_score', 'state'] as const) {
        assert.deepEqual(created?.[member], earlier[member], member);
      }
      assert.deepEqual([created?.params.psid, created?.metadata], ['a', { from: 'b' }]);
      assert.deepEqual([created?.archived, created?.to_be_deleted, created?.from_archive], [false, false, false]);
      assert.deepEqual([created?.archive_ts, created?.expiry_ts], [undefined, '2026-02-01T00:00:00.000000Z']);
      assert.equal(created?.times.submitted, again.time);
    }
  });

  it('keep files with other parameters apart from the one that is analysed', async (context) => {
    const { steps, started } = await openIngestSteps(context);
    await steps.submit(ingestTask('a'));
    await steps.submit({ ...ingestTask('b'), scanKey: 'other parameters' });
    assert.deepEqual(started, ['a', 'b']);
    assert.equal(await steps.inFlight(), 2);
  });

  it('never store a submission again that another process stored, or completed, meanwhile', async (context) => {
    const { steps, submissions, started, told, failing } = await openIngestSteps(context);
    await steps.submit(ingestTask('a'));
    submissions.set('a', { ...completedSubmission('a', 1), state: 'submitted' });
    await steps.begin(ingestTask('a'));
    assert.deepEqual(started, ['a'], 'it is handed to the dispatcher as it is stored');
    submissions.delete('a');
    failing.now = true;
    failing.error = new Conflict('already_exists', 'a exists');
    failing.before = () => submissions.set('a', completedSubmission('a', 7));
    await steps.begin(ingestTask('a'));
    assert.deepEqual(
      (await told()).map((one) => [one.ingest_id, one.score]),
      [['a', 7]],
    );
  });

  it('give up at once what the datastore refuses', async (context) => {
    const { steps, coordination, told, failing } = await openIngestSteps(context);
    failing.now = true;
    failing.error = new InvalidInput('invalid_document', 'metadata.a has names below it');
    await steps.submit(ingestTask('a'));
    assert.deepEqual(
      (await told()).map((one) => [one.ingest_id, one.failure]),
      [['a', 'metadata.a has names below it']],
    );
    assert.deepEqual([await coordination.tables.size(RETRY_TABLE), await steps.inFlight()], [0, 0]);
  });

  it('end what waits for a submission that was deleted', async (context) => {
    const { steps, told } = await openIngestSteps(context);
    await steps.submit(ingestTask('a'));
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
