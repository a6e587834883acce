import type { Coordination } from '../../coordination/coordination.ts';
import { QueueWorker, type Workers } from '../../coordination/queue-worker.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { isUnavailable } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { Alerter, AlertMessage, ExtendedScan } from '../alerts/alerter.ts';
import { COMPLETED_QUEUE, type Completion } from '../dispatching/completion-message.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { type ActionRunner, ALERT_QUEUE, WEBHOOK_QUEUE, type WebhookMessage } from './action-runner.ts';
import { WebhookSender } from './webhook-sender.ts';

export interface CompletionWorkerDependencies {
  readonly coordination: Pick<Coordination, 'queues' | 'locks'>;
  readonly submissions: Pick<Collection<Submission>, 'get'>;
  readonly actions: Pick<ActionRunner, 'completed'>;
  readonly alerter: Pick<Alerter, 'raise'>;
  readonly client: Pick<OutboundClient, 'request'>;
  /**
   * Ends what waits for a submission: slots of quotas, notifications, duplicates. May be called again.
   * `submission` is undefined when it was deleted.
   */
  readonly ended: (completion: Completion, submission: Submission | undefined, scan: ExtendedScan) => Promise<void>;
  readonly log: Log;
}

const ACCESS = unrestricted('what follows an analysis follows it for every classification');
/** Submissions that are completed at the same time. */
const BATCH = 20;
/** Alerts that are made at the same time; each may load a large submission. */
const ALERTS = 4;
const WEBHOOKS = 10;

/** Does what follows an analysis: actions, alerts, webhooks, and the end of what waits for it. */
export class CompletionWorker implements Workers {
  readonly #dependencies: CompletionWorkerDependencies;
  readonly #stopping = new AbortController();
  readonly #workers: readonly QueueWorker[];

  constructor(dependencies: CompletionWorkerDependencies) {
    this.#dependencies = dependencies;
    const { coordination, alerter, client, log } = dependencies;
    const webhooks = new WebhookSender({ client, log, signal: this.#stopping.signal });
    const worker = <T>(queue: string, batchSize: number, work: (item: T) => Promise<void>) =>
      new QueueWorker({
        queue,
        coordination,
        log,
        batchSize,
        batchTimeout: 0,
        work: (items) => each(items as T[], work),
      });
    this.#workers = [
      worker<Completion>(COMPLETED_QUEUE, BATCH, (completion) => this.#complete(completion)),
      worker<AlertMessage>(ALERT_QUEUE, ALERTS, (message) => alerter.raise(message)),
      worker<WebhookMessage>(WEBHOOK_QUEUE, WEBHOOKS, (message) => webhooks.send(message)),
    ];
  }

  start(): void {
    for (const one of this.#workers) one.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#workers.map((one) => one.stop()));
  }

  async #complete(completion: Completion): Promise<void> {
    const { submissions, ended } = this.#dependencies;
    const submission = await submissions.get(completion.sid, ACCESS);
    const isOver = completion.cancelled || submission === undefined || submission.to_be_deleted;
    const scan = isOver || submission.state !== 'completed' ? 'skipped' : await this.#act(submission, completion);
    await ended(completion, submission, scan);
  }

  /** A defect of an action must not keep slots and notifications. */
  async #act(submission: Submission, { full_score: score }: Completion): Promise<ExtendedScan> {
    const { actions, log } = this.#dependencies;
    try {
      // Actions of the installation also act on what few may see.
      return await actions.completed(score === undefined ? submission : { ...submission, max_score: score });
    } catch (err) {
      if (isUnavailable(err)) throw err;
      log.error({ err, sid: submission.sid }, 'the actions after an analysis failed');
      return 'skipped';
    }
  }
}

/** Works on all items, and fails after that with the first failure, so that no item is left halfway. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(work));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
