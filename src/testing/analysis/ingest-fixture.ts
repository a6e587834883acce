import type { TestContext } from 'node:test';
import { IngestSteps } from '../../analysis/ingest/ingest-steps.ts';
import type { IngestTask } from '../../analysis/ingest/ingest-task.ts';
import { NotificationQueues } from '../../analysis/ingest/notification-queues.ts';
import { loadConfig } from '../../config/config.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';

/** For tests: a task of one file, all with the same key. */
export function ingestTask(ingestId: string, params: object = {}): IngestTask {
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

/** For tests: the completed submission of such a task. */
export function completedSubmission(sid: string, score: number): Submission {
  const { params, files } = ingestTask(sid);
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

/** For tests: the steps of files that came in bulk, with documents in maps. */
export async function openIngestSteps(
  context: TestContext,
  { alwaysCreate = false }: { readonly alwaysCreate?: boolean } = {},
) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const clock = { now: Date.parse('2026-01-02T03:05:00Z') };
  const failing: { now: boolean; error: Error; before?: () => void } = {
    now: false,
    error: new Error('no dispatcher'),
  };
  const started: string[] = [];
  const scores = new Map<string, never>();
  const submissions = new Map<string, Submission>();
  const notifications = new NotificationQueues(coordination.queues, () => clock.now);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { core, ...others } = loadConfig({ environment: {} }).analysis;
  const settings = {
    ...others,
    core: { ...core, ingester: { ...core.ingester, always_create_submission: alwaysCreate } },
  };
  const steps = new IngestSteps({
    tables: coordination.tables,
    submissions: {
      get: async (sid: string) => submissions.get(sid),
      save: async (sid: string, document: Submission) => submissions.set(sid, document) as never,
    },
    filescores: {
      get: async (key: string) => scores.get(key),
      save: async (key: string, score: unknown) => scores.set(key, score as never) as never,
      delete: async (key: string) => scores.delete(key),
    } as never,
    submit: {
      start: async ({ sid = '' }: { sid?: string }) => {
        if (failing.now) {
          failing.before?.();
          throw failing.error;
        }
        started.push(sid);
        return {} as Submission;
      },
      expiryOf: () => '2026-02-01T00:00:00.000000Z',
    },
    dispatcher: { dispatch: async () => undefined },
    actions: { cacheHit: async () => 'skipped' },
    quotas: { release: async () => undefined },
    notifications,
    settings,
    log,
    now: () => clock.now,
    random: () => 0.5,
  });
  const told = async () => {
    const taken = await notifications.take('anna', 'q');
    await taken.acknowledge();
    return taken.messages;
  };
  return { steps, started, told, clock, failing, submissions, notifications, coordination, settings };
}
