import type { Coordination } from '../../coordination/coordination.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { INCOMING_QUEUE } from './ingest-service.ts';
import type { IngestSteps } from './ingest-steps.ts';
import type { IngestTask } from './ingest-task.ts';
import { assertQueueName } from './notification-queues.ts';

export interface RescanDependencies {
  readonly queues: Pick<Coordination['queues'], 'push'>;
  readonly steps: Pick<IngestSteps, 'submit'>;
  /** Highest priority of what waits with files that came in bulk. */
  readonly maxPriority: number;
  readonly now: () => number;
}

export interface RescanRequest {
  /** User who imports; they read the notification. */
  readonly uname: string;
  /** Queue of notifications that is told about the end. */
  readonly notificationQueue: string | undefined;
  /** Waits with the files that came in bulk, instead of being analysed at once. */
  readonly toIngest: boolean;
}

/** Runs services over submissions that were imported from another system. */
export class Rescans {
  readonly #dependencies: RescanDependencies;

  constructor(dependencies: RescanDependencies) {
    this.#dependencies = dependencies;
  }

  /** Checks a request before anything is stored. @throws InvalidInput `invalid_submission` */
  assertValid({ notificationQueue }: RescanRequest): void {
    if (notificationQueue !== undefined) assertQueueName(notificationQueue);
  }

  /** Key of a submission that `start` gets; no file that came in bulk has it. */
  scanKeyOf(sid: string): string {
    return `import:${sid}`;
  }

  /** Starts the analysis of a stored submission with the key of `scanKeyOf`; durable once it resolves. */
  async start(submission: Submission, { uname, notificationQueue, toIngest }: RescanRequest): Promise<void> {
    const { queues, steps, maxPriority, now } = this.#dependencies;
    const { sid, files, metadata, params } = submission;
    const task: IngestTask = {
      ingestId: sid,
      time: formatDate(new Date(now())),
      files,
      metadata,
      params: { ...params, submitter: uname, priority: Math.min(params.priority, maxPriority) },
      notification: { queue: notificationQueue ?? null, threshold: null },
      scanKey: this.scanKeyOf(sid),
      retries: 0,
      isImported: true,
    };
    if (toIngest) await queues.push(INCOMING_QUEUE, [task], { ids: [sid] });
    else await steps.submit(task);
  }
}
