import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import type { AlertMessage } from '../alerts/alerter.ts';
import { ActionRunner, ALERT_QUEUE, type Resubmission, WEBHOOK_QUEUE, type WebhookMessage } from './action-runner.ts';

const SHA = 'ab'.repeat(32);

describe('ActionRunner', () => {
  it('raises alerts for high scores of submissions that want them', async (context) => {
    const { runner, submission, alerts } = await setUp(context);
    assert.equal(await runner.completed(submission({ sid: 'a', max_score: 500, generate_alert: true })), 'skipped');
    await runner.completed(submission({ sid: 'b', max_score: 499, generate_alert: true }));
    await runner.completed(submission({ sid: 'c', max_score: 900 }));
    assert.deepEqual(
      (await alerts()).map(({ sid, score, extendedScan, metadata }) => ({ sid, score, extendedScan, metadata })),
      [{ sid: 'a', score: 500, extendedScan: 'skipped', metadata: { team: 'red' } }],
    );
  });

  it('resubmits when that adds a service: always from a score on, below by chance, never below zero', async (context) => {
    const { runner, submission, resubmitted, dice } = await setUp(context);
    const services = { selected: ['A'], resubmit: ['Deep', 'A'] };
    assert.equal(await runner.completed(submission({ sid: 'high', max_score: 500, services })), 'submitted');
    assert.equal(await runner.completed(submission({ sid: 'same', max_score: 500 })), 'skipped');
    assert.equal(await runner.completed(submission({ sid: 'negative', max_score: -1, services })), 'skipped');
    dice.value = 0.09;
    assert.equal(await runner.completed(submission({ sid: 'lucky', max_score: 400, services })), 'submitted');
    dice.value = 0.11;
    assert.equal(await runner.completed(submission({ sid: 'unlucky', max_score: 400, services })), 'skipped');
    assert.deepEqual(
      resubmitted.map(({ params }) => params.psid),
      ['high', 'lucky'],
    );
    assert.deepEqual(resubmitted[0]?.params.services, {
      selected: ['A', 'Deep'],
      resubmit: [],
      excluded: [],
      rescan: [],
    });
  });

  it('does the same once for a message that comes again, and ends what was cut off', async (context) => {
    const { runner, submission, resubmitted, dice, alerts, fail } = await setUp(context);
    const services = { selected: ['A'], resubmit: ['Deep'] };
    const one = submission({ sid: 'one', max_score: 500, services, generate_alert: true });
    fail.next = new Error('killed');
    await assert.rejects(runner.completed(one), /killed/);
    dice.value = 1;
    assert.equal(await runner.completed(one), 'submitted');
    assert.equal(await runner.completed(one), 'submitted');
    assert.deepEqual([resubmitted.length, (await alerts()).length], [1, 1]);
    assert.deepEqual(fail.sids, [resubmitted[0]?.sid], 'the same identifier as the attempt that was cut off');
  });

  it('sends each webhook once, with the submission and its tags', async (context) => {
    const hook = { uri: 'https://hooks.example/x' };
    const filter = 'tags.file.behavior:bad';
    const actions = {
      one: { enabled: true, run_on_completed: true, filter, webhook: hook },
      same: { enabled: true, run_on_completed: true, filter: '*', webhook: hook },
      off: { enabled: false, run_on_completed: true, filter: '*', webhook: { uri: 'https://off.example' } },
      cached: { enabled: true, run_on_cache: true, filter: '*', webhook: { uri: 'https://cached.example' } },
    };
    const { runner, submission, webhooks } = await setUp(context, actions);
    await runner.completed(submission({ sid: 'a', max_score: 5 }));
    const [message, ...more] = await webhooks();
    assert.deepEqual([message?.hook.uri, more.length], ['https://hooks.example/x', 0]);
    const payload = message?.payload as { is_cache: boolean; score: number; submission: Record<string, unknown> };
    assert.deepEqual([payload.is_cache, payload.score, payload.submission.sid], [false, 5, 'a']);
    assert.deepEqual(payload.submission.tags, { file: { behavior: ['bad'] } });
  });

  it('runs the actions of cache hits for what an earlier result answers', async (context) => {
    const { runner, submission, alerts, webhooks } = await setUp(context);
    const { sid, params, files } = submission({ sid: 'old', max_score: 0, generate_alert: true });
    const ended = { sid, params, files, score: 700, submittedAt: '2026-01-02T03:04:05.000000Z' };
    await runner.cacheHit({ ...ended, metadata: { ingest_id: 'new' } });
    const [alert] = await alerts();
    assert.deepEqual([alert?.sid, alert?.score, alert?.metadata], ['old', 700, { ingest_id: 'new' }]);
    assert.deepEqual(await webhooks(), []);
  });

  it('uses the actions of the program when the stored ones cannot be read', async (context) => {
    const { runner, submission, alerts } = await setUp(context, 'not: [actions');
    await runner.completed(submission({ sid: 'a', max_score: 500, generate_alert: true }));
    assert.equal((await alerts()).length, 1);
  });
});

/** @param stored actions of the administrators, or YAML that is none; undefined: those of the program */
async function setUp(context: TestContext, stored?: object | string) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const { queues, tokens } = coordination;
  const classification = loadClassification();
  const resubmitted: Resubmission[] = [];
  const dice = { value: 0.5 };
  const fail: { next: Error | undefined; readonly sids: string[] } = { next: undefined, sids: [] };
  const yaml = stored === undefined || typeof stored === 'string' ? stored : JSON.stringify(stored);
  const ids = Array.from({ length: 20 }, (_, index) => `new${index}`);
  const runner = new ActionRunner({
    values: {
      reader: (_name, read) => {
        const value = read(yaml);
        return async () => value;
      },
    },
    queues,
    tokens,
    archive: undefined,
    newId: () => ids.shift() ?? '',
    random: () => dice.value,
    tagsOf: async () => ({ file: { behavior: ['bad'] } }),
    log: { info() {}, warn() {}, error() {} },
    async resubmit(resubmission) {
      if (fail.next !== undefined) {
        const error = fail.next;
        fail.next = undefined;
        fail.sids.push(resubmission.sid);
        throw error;
      }
      resubmitted.push(resubmission);
    },
  });
  const taken = async <T>(queue: string) => (await queues.take<T>(queue, { max: 10 })).map(({ item }) => item);
  return {
    runner,
    resubmitted,
    dice,
    fail,
    alerts: () => taken<AlertMessage>(ALERT_QUEUE),
    webhooks: () => taken<WebhookMessage>(WEBHOOK_QUEUE),
    submission({
      sid,
      max_score,
      ...params
    }: Record<string, unknown> & { sid: string; max_score: number }): Submission {
      const counts = { error_count: 0, file_count: 1, errors: [], results: [] };
      const files = [{ name: 'a.exe', sha256: SHA }];
      const given = { submitter: 'ada', description: 'x', services: { selected: ['A'] }, ...params };
      const input = { sid, max_score, ...counts, files, params: given, metadata: { team: 'red' }, state: 'completed' };
      return readDocument(submissionDocument, input, { unknown: 'drop', classification }).document;
    },
  };
}
