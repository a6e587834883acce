import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Workers } from '../../coordination/queue-worker.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import type { Log } from '../../http/request-log.ts';
import { INCOMING_QUEUE } from './ingest-service.ts';
import { type IngestSteps, RETRY_TABLE, type RetryEntry, SCANNING_TABLE, type ScanningEntry } from './ingest-steps.ts';
import type { NotificationQueues } from './notification-queues.ts';

export interface IngestUpkeepDependencies {
  readonly coordination: Pick<Coordination, 'tables' | 'queues' | 'locks'>;
  readonly submissions: Pick<Collection<Submission>, 'get'>;
  readonly dispatcher: { isRunning(sid: string): Promise<boolean> };
  readonly steps: IngestSteps;
  readonly notifications: NotificationQueues;
  readonly settings: Settings['analysis']['core']['plumber'];
  readonly log: Pick<Log, 'warn'>;
  readonly now: () => number;
}

const RETRY_INTERVAL = 3000;
const LOST_INTERVAL = 300_000;
/** Milliseconds after which a submission without a result is given up. */
const MAX_AGE = 2 * 86_400_000;
const LEASE = 60_000;
const ACCESS = unrestricted('files that came in bulk are looked after for all users');

/** Looks after files that came in bulk: retries, missed messages, lost submissions, old notifications. */
export class IngestUpkeep implements Workers {
  readonly #dependencies: IngestUpkeepDependencies;
  readonly #failures: RateLimitedLogger;
  readonly #stopping = new AbortController();
  /** Submissions that no dispatcher had at the last look. */
  #suspects: ReadonlySet<string> = new Set();
  #running: Promise<unknown> | undefined;

  constructor(dependencies: IngestUpkeepDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  start(): void {
    const { notification_queue_interval: interval } = this.#dependencies.settings;
    this.#running ??= Promise.all([
      this.#every(RETRY_INTERVAL, () => this.retry()),
      this.#every(LOST_INTERVAL, () => this.findLost()),
      this.#every(interval * 1000, () => this.removeOldNotifications()),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Lets failed tasks come in again whose time has come. Returns their number. */
  async retry(): Promise<number> {
    const { coordination, now } = this.#dependencies;
    let retried = 0;
    for (const [id, value] of await coordination.tables.entries(RETRY_TABLE)) {
      const { task, at } = value as RetryEntry;
      if (at > now()) continue;
      await coordination.queues.push(INCOMING_QUEUE, [task], { ids: [id] });
      await coordination.tables.take(RETRY_TABLE, id);
      retried += 1;
    }
    return retried;
  }

  /** Completes submissions whose message was missed, and submits those again that got lost. */
  async findLost(): Promise<void> {
    const { coordination, dispatcher, steps, submissions, log, now } = this.#dependencies;
    const lock = await coordination.locks.acquire('ingest:lost', LEASE);
    if (lock === undefined) return;
    const suspects = new Set<string>();
    try {
      for (const value of (await coordination.tables.entries(SCANNING_TABLE)).values()) {
        const { task, since } = value as ScanningEntry;
        const { ingestId: sid } = task;
        await lock.renew(LEASE);
        if (now() - since > MAX_AGE) {
          log.warn({ sid }, 'a submission from bulk has no result after two days; it is given up');
          await steps.expire(task);
          continue;
        }
        if (await dispatcher.isRunning(sid)) continue;
        const submission = await submissions.get(sid, ACCESS);
        if (submission?.state === 'completed') {
          log.warn({ sid }, 'a completed submission from bulk was missed; it is finished now');
          await steps.completed(submission, 'skipped');
        } else if (this.#suspects.has(sid)) {
          log.warn({ sid }, 'a submission from bulk was lost; it is submitted again');
          await steps.begin(task);
        } else suspects.add(sid);
      }
    } finally {
      this.#suspects = suspects;
      await lock.release();
    }
  }

  /** Removes queues of notifications that have no reader. */
  async removeOldNotifications(): Promise<void> {
    const { notifications, settings, log } = this.#dependencies;
    for (const queue of await notifications.removeOld(settings.notification_queue_max_age * 1000)) {
      log.warn({ queue }, 'the notifications of a queue were older than a day; it was removed');
    }
  }

  async #every(interval: number, work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(interval, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await work();
      } catch (err) {
        this.#failures.warn({ err }, 'the upkeep of files that came in bulk was interrupted; it is repeated');
      }
    }
  }
}
