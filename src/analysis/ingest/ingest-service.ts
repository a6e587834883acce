import type { Coordination } from '../../coordination/coordination.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { newId } from '../../documents/schema/values/field-values.ts';
import type { Log } from '../../http/request-log.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import { SUBMISSION_CHANNEL } from '../dispatching/submission-message.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { Arrivals } from '../submit/arrivals.ts';
import { HeldFiles } from '../submit/held-files.ts';
import type { SubmissionInput } from '../submit/submission-body.ts';
import type { SubmissionDrafts } from '../submit/submission-draft.ts';
import type { SubmissionQuotas } from '../submit/submission-quotas.ts';
import type { AdmittedRequest, SubmitService } from '../submit/submit-service.ts';
import type { FileIntake } from '../submit/submitted-file.ts';
import { filescoreKey } from './filescore-key.ts';
import type { IngestTask } from './ingest-task.ts';
import { messageParams } from './message-submission.ts';
import { assertQueueName } from './notification-queues.ts';

/** Queue of tasks that nothing was decided about yet. */
export const INCOMING_QUEUE = 'ingest:incoming';

export interface IngestDependencies {
  readonly queues: Pick<Coordination['queues'], 'push'>;
  readonly events: Pick<Coordination['events'], 'publish'>;
  readonly drafts: SubmissionDrafts;
  readonly intake: FileIntake;
  readonly files: Pick<AnalysisFiles, 'discard'>;
  readonly quotas: SubmissionQuotas;
  readonly arrivals: Pick<Arrivals, 'note'>;
  readonly submit: Pick<SubmitService, 'expiryOf'>;
  readonly log: Pick<Log, 'warn'>;
  /** Milliseconds; for tests. */
  readonly now: () => number;
}

/** Accepts files in bulk (contract/analysis.md section 3.5). */
export class IngestService {
  readonly #dependencies: IngestDependencies;

  constructor(dependencies: IngestDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Accepts the file that `receive` returns, and returns the identifier of the task, which is durable.
   * @throws as `SubmitService.submit`
   */
  async ingest(actor: AnalysisActor, receive: (request: AdmittedRequest) => Promise<SubmissionInput>): Promise<string> {
    const { quotas, files, drafts, arrivals, log } = this.#dependencies;
    arrivals.note();
    const ingestId = newId();
    await quotas.enter('ingest', actor, ingestId);
    const held = new HeldFiles(files);
    try {
      const draft = (json: unknown) => drafts.draft(actor, json, 'ingest');
      const task = await this.#prepare(actor, ingestId, held, await receive({ sid: ingestId, held, draft }));
      await this.#dependencies.queues.push(INCOMING_QUEUE, [task], { ids: [ingestId] });
      await this.#announce(task);
      return ingestId;
    } catch (error) {
      for (const outcome of await Promise.allSettled([held.discardAll(), quotas.undo('ingest', actor, ingestId)])) {
        if (outcome.status === 'rejected') log.warn({ err: outcome.reason }, 'a refused file was not cleaned up');
      }
      throw error;
    }
  }

  async #prepare(
    actor: AnalysisActor,
    ingestId: string,
    held: HeldFiles,
    { draft, file: input }: SubmissionInput,
  ): Promise<IngestTask> {
    const { intake, submit, now } = this.#dependencies;
    const { notificationQueue: queue, notificationThreshold: threshold } = draft.request;
    if (queue !== undefined) assertQueueName(queue);
    const file = await intake.take(input, { actor, draft, held, fuzzy: true });
    const time = formatDate(new Date(now()));
    const { type, description } = file.params;
    const params = { ...file.params, description: `[${type}] ${description}` };
    await file.save(submit.expiryOf(params));
    return {
      ingestId,
      time,
      files: [{ name: file.name, size: file.size, sha256: file.sha256 }],
      metadata: { ts: time, ...file.metadata, ingest_id: ingestId, type },
      params,
      notification: { queue: queue ?? null, threshold: queue === undefined ? null : (threshold ?? null) },
      scanKey: filescoreKey(params, file.sha256),
      retries: 0,
    };
  }

  async #announce({ ingestId, time, files, metadata, params, notification, scanKey }: IngestTask): Promise<void> {
    const msg = {
      sid: ingestId,
      time,
      files,
      metadata,
      notification,
      params: messageParams(params),
      scan_key: scanKey,
    };
    try {
      await this.#dependencies.events.publish(SUBMISSION_CHANNEL, {
        msg_type: 'SubmissionReceived',
        sender: 'ui',
        msg,
      });
    } catch (err) {
      this.#dependencies.log.warn({ err, ingestId }, 'a file that came in bulk was not announced');
    }
  }
}
