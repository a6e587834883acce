import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileScore } from '../../documents/kinds/analysis/filescore.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { isTriadError, isUnavailable, messageOf } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { ExtendedScan } from '../alerts/alerter.ts';
import type { ActionRunner } from '../completion/action-runner.ts';
import type { Completion } from '../dispatching/completion-message.ts';
import type { SubmissionQuotas } from '../submit/submission-quotas.ts';
import type { SubmitService } from '../submit/submit-service.ts';
import { Filescores } from './filescores.ts';
import { type IngestOutcome, type IngestTask, notificationOf, taskSize } from './ingest-task.ts';
import type { NotificationQueues } from './notification-queues.ts';
import { type Level, levelOf, mustDrop } from './sampling.ts';

export interface IngestStepDependencies {
  readonly tables: Coordination['tables'];
  readonly submissions: Pick<Collection<Submission>, 'get' | 'save'>;
  readonly filescores: Pick<Collection<FileScore>, 'get' | 'save' | 'delete'>;
  readonly submit: Pick<SubmitService, 'start' | 'expiryOf'>;
  readonly dispatcher: { dispatch(submission: Submission): Promise<void> };
  readonly actions: Pick<ActionRunner, 'cacheHit'>;
  readonly quotas: Pick<SubmissionQuotas, 'release'>;
  readonly notifications: NotificationQueues;
  readonly settings: Pick<Settings['analysis'], 'core' | 'submission'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly now: () => number;
  /** From 0 to 1; for tests. */
  readonly random?: () => number;
}

/** Tasks that are being analysed, by the key that equal tasks share. */
export const SCANNING_TABLE = 'ingest:scanning';
/** Tasks that are tried again, by identifier. */
export const RETRY_TABLE = 'ingest:retry';
const PARKED_PREFIX = 'ingest:parked:';

/** A task that is being analysed. */
export interface ScanningEntry {
  readonly task: IngestTask;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** A task that failed, and when it is tried again. */
export interface RetryEntry {
  readonly task: IngestTask;
  readonly at: number;
}

/** Milliseconds until a failed task is tried again, and how often. */
const RETRY_DELAY = 240_000;
const MAX_RETRIES = 10;
const ACCESS = unrestricted('files that came in bulk are completed for every classification');

/** The steps of files that came in bulk (contract/analysis.md 3.5, 3.6). Each may be repeated. */
export class IngestSteps {
  readonly counts = {
    received: 0,
    duplicates: 0,
    cache_hits: 0,
    dropped: 0,
    failed: 0,
    retried: 0,
    timed_out: 0,
    completed: 0,
  };
  readonly #dependencies: IngestStepDependencies;
  readonly #scores: Filescores;

  constructor(dependencies: IngestStepDependencies) {
    this.#dependencies = dependencies;
    const { filescores, settings, now } = dependencies;
    this.#scores = new Filescores(filescores, settings.core.ingester, now);
  }

  /** Number of tasks that are being analysed. */
  inFlight(): Promise<number> {
    return this.#dependencies.tables.size(SCANNING_TABLE);
  }

  /** Decides about a task; returns it when it has to be analysed, with its priority. */
  async decide(task: IngestTask, lengthOf: (level: Level) => Promise<number>): Promise<IngestTask | undefined> {
    const { settings, now } = this.#dependencies;
    this.counts.received += 1;
    if (task.isImported) return task;
    const { max_file_size: limit } = settings.submission;
    const size = taskSize(task);
    const { params } = task;
    if (size > limit && !params.ignore_size && !params.never_drop) {
      await this.#drop(task, `File too large (${size} > ${limit})`);
      return undefined;
    }
    if (await this.#answerFromScore(task, { creates: settings.core.ingester.always_create_submission }))
      return undefined;
    const isOld = now() - Date.parse(task.time) >= settings.core.ingester.stale_after_seconds * 1000;
    const priority = isOld ? Math.max(1, Math.floor(params.priority / 10)) : params.priority;
    const aged = { ...task, params: { ...params, priority } };
    if (await this.#dropsOut(aged, lengthOf)) return undefined;
    return aged;
  }

  /** Submits a task, or parks it behind an equal one. @param lengthOf given: files may be dropped */
  async submit(task: IngestTask, lengthOf?: (level: Level) => Promise<number>): Promise<void> {
    const { tables, now } = this.#dependencies;
    const { scanKey, ingestId } = task;
    if (!task.isImported) {
      if (lengthOf !== undefined && (await this.#dropsOut(task, lengthOf))) return;
      if (await this.#answerFromScore(task, { creates: false })) return;
    }
    const entry: ScanningEntry = { task, since: now() };
    if (!(await tables.putIfAbsent(SCANNING_TABLE, scanKey, entry))) {
      const running = (await tables.get(SCANNING_TABLE, scanKey)) as ScanningEntry | undefined;
      if (running?.task.ingestId !== ingestId && !(await this.#claimAfterAll(task, entry))) return;
    }
    await this.begin(task);
  }

  /**
   * Hands a task that is noted as being analysed to the dispatcher; a failure is tried again later.
   * @throws Unavailable when a server is away
   */
  async begin(task: IngestTask): Promise<void> {
    const { submit, submissions, dispatcher } = this.#dependencies;
    const { ingestId: sid, files, params, metadata, scanKey } = task;
    try {
      const stored = await submissions.get(sid, ACCESS);
      if (stored?.state === 'completed') await this.completed(stored, 'skipped');
      else if (stored !== undefined) await dispatcher.dispatch(stored);
      else if (task.isImported) await this.abandon(task, 'Submission deleted');
      else await submit.start({ sid, files, params, metadata, scanKey });
    } catch (error) {
      // Another process was faster with the same task, which was delivered twice.
      if (isTriadError(error) && error.code === 'already_exists') return this.begin(task);
      // Servers that are away come back sooner than a retry, and are no failure of the file.
      if (isUnavailable(error)) throw error;
      // What the datastore refuses it refuses again.
      if (isTriadError(error) && error.kind === 'invalid_input') await this.abandon(task, messageOf(error));
      else await this.#retry(task, messageOf(error));
    }
  }

  /** Ends what waits for a submission that has ended, also for one that was deleted before. */
  async ended(
    { sid, scan_key: scanKey, cancelled }: Completion,
    submission: Submission | undefined,
    extendedScan: ExtendedScan,
  ): Promise<void> {
    if (scanKey === undefined) return;
    if (!cancelled && submission?.state === 'completed') return this.completed(submission, extendedScan);
    const entry = (await this.#dependencies.tables.get(SCANNING_TABLE, scanKey)) as ScanningEntry | undefined;
    if (entry?.task.ingestId === sid) await this.abandon(entry.task, 'Submission deleted');
  }

  /** Ends the tasks that waited for a submission: notifies, and remembers its score. */
  async completed(submission: Submission, extendedScan: ExtendedScan): Promise<void> {
    const { tables } = this.#dependencies;
    const { scan_key: scanKey, sid, max_score: score, params } = submission;
    if (scanKey === undefined) return;
    const entry = (await tables.get(SCANNING_TABLE, scanKey)) as ScanningEntry | undefined;
    if (entry?.task.ingestId !== sid) return;
    if (!entry.task.isImported) await this.#scores.save(scanKey, submission);
    await this.#finish(entry.task, { sid, score, failure: '', extendedScan, psid: params.psid });
    await this.#endParked(scanKey, { sid, score, psid: params.psid });
    await tables.take(SCANNING_TABLE, scanKey);
    // One that was parked meanwhile looks whether the entry is still there, or is found here.
    await this.#endParked(scanKey, { sid, score, psid: params.psid });
    this.counts.completed += 1;
  }

  /** Gives a task up that had no result in time, and the equal ones. */
  async expire(task: IngestTask): Promise<void> {
    this.counts.timed_out += 1;
    await this.abandon(task, 'Submission timed out');
  }

  /** Gives a task and the equal ones up. */
  async abandon(task: IngestTask, failure: string): Promise<void> {
    const { tables } = this.#dependencies;
    this.counts.failed += 1;
    const parked = await tables.entries(PARKED_PREFIX + task.scanKey);
    for (const one of [task, ...(parked.values() as Iterable<IngestTask>)]) {
      await this.#finish(one, { sid: one.ingestId, score: undefined, failure, extendedScan: 'skipped' });
    }
    await tables.take(SCANNING_TABLE, task.scanKey);
    await tables.drop(PARKED_PREFIX + task.scanKey);
  }

  /** Parks a task behind an equal one. Returns true when that had ended, and the task takes its place. */
  async #claimAfterAll(task: IngestTask, entry: ScanningEntry): Promise<boolean> {
    const { tables } = this.#dependencies;
    const parked = PARKED_PREFIX + task.scanKey;
    this.counts.duplicates += 1;
    await tables.put(parked, task.ingestId, task);
    if ((await tables.get(SCANNING_TABLE, task.scanKey)) !== undefined) return false;
    if ((await tables.take(parked, task.ingestId)) === undefined) return false;
    if (await tables.putIfAbsent(SCANNING_TABLE, task.scanKey, entry)) return true;
    await tables.put(parked, task.ingestId, task);
    return false;
  }

  async #endParked(
    scanKey: string,
    { sid, score, psid }: { sid: string; score: number; psid: string | undefined },
  ): Promise<void> {
    const { tables } = this.#dependencies;
    const table = PARKED_PREFIX + scanKey;
    for (const task of (await tables.entries(table)).values() as Iterable<IngestTask>) {
      await this.#finishFromScore(task, { sid, score, psid });
      await tables.take(table, task.ingestId);
    }
  }

  /** Answers a task with the score of an earlier submission, if there is a fresh one. */
  async #answerFromScore(task: IngestTask, { creates }: { readonly creates: boolean }): Promise<boolean> {
    if (task.params.ignore_cache) return false;
    const found = await this.#scores.fresh(task.scanKey);
    if (found === undefined) return false;
    this.counts.cache_hits += 1;
    const created = creates ? await this.#createFrom(found.sid, task) : undefined;
    const { sid, psid } = created ?? found;
    await this.#finishFromScore(task, { sid, score: found.score, psid });
    return true;
  }

  /** Stores a submission of its own for a task, with the results of an earlier one. */
  async #createFrom(earlier: string, task: IngestTask): Promise<{ sid: string; psid: string } | undefined> {
    const { submissions, submit, now } = this.#dependencies;
    const original = await submissions.get(earlier, ACCESS);
    if (original === undefined) return undefined;
    const { expiry_ts: _expiry, archive_ts: _archived, ...copied } = original;
    const expires = submit.expiryOf(task.params);
    const sid = task.ingestId;
    await submissions.save(sid, {
      ...copied,
      ...(expires === undefined ? {} : { expiry_ts: expires }),
      archived: false,
      classification: task.params.classification,
      files: task.files,
      from_archive: false,
      metadata: task.metadata,
      params: { ...task.params, psid: earlier },
      sid,
      to_be_deleted: false,
      times: { submitted: task.time, completed: formatDate(new Date(now())) },
    });
    return { sid, psid: earlier };
  }

  /** Ends a task with the score of another submission, after the actions for such cases. */
  async #finishFromScore(
    task: IngestTask,
    { sid, score, psid }: { readonly sid: string; readonly score: number; readonly psid: string | undefined },
  ): Promise<void> {
    const { files, metadata, time } = task;
    const params = psid === undefined ? task.params : { ...task.params, psid };
    const extendedScan = await this.#dependencies.actions.cacheHit({
      sid,
      score,
      files,
      metadata,
      params,
      submittedAt: time,
    });
    const shown = extendedScan === 'submitted' ? undefined : psid;
    await this.#finish(task, { sid, score, failure: '', extendedScan, psid: shown });
  }

  /** Drops a task when there are too many, or when its priority says so. */
  async #dropsOut(task: IngestTask, lengthOf: (level: Level) => Promise<number>): Promise<boolean> {
    const { priority, never_drop: isKept } = task.params;
    if (isKept) return false;
    const { settings, random = Math.random } = this.#dependencies;
    const length = priority <= 1 ? 0 : await lengthOf(levelOf(priority));
    const { sampling_at } = settings.core.ingester;
    if (!mustDrop(priority, length, { sampling_at, random })) return false;
    await this.#drop(task, 'Skipped');
    return true;
  }

  async #drop(task: IngestTask, failure: string): Promise<void> {
    this.counts.dropped += 1;
    await this.#finish(task, { sid: task.ingestId, score: undefined, failure, extendedScan: 'skipped' });
  }

  /** Releases the slot of a task and notifies its submitter, unless the score is below their threshold. */
  async #finish(task: IngestTask, outcome: IngestOutcome): Promise<void> {
    const { quotas, notifications, now } = this.#dependencies;
    const { submitter } = task.params;
    await quotas.release('ingest', submitter, task.ingestId);
    const { queue, threshold } = task.notification;
    const isBelow = threshold !== null && outcome.score !== undefined && outcome.score < threshold;
    if (queue === null || isBelow) return;
    await notifications.push(submitter, queue, notificationOf(task, outcome, new Date(now())));
  }

  /** Notes a failed task for later, or gives it up after ten times. */
  async #retry(task: IngestTask, reason: string): Promise<void> {
    const { tables, log, now } = this.#dependencies;
    const { ingestId, scanKey } = task;
    const retries = task.retries + 1;
    if (retries > MAX_RETRIES) {
      log.error({ ingestId, reason }, 'a file that came in bulk was given up');
      await this.abandon(task, reason);
      return;
    }
    log.warn({ ingestId, reason, retries }, 'a file that came in bulk could not be submitted; it is tried again');
    const entry: RetryEntry = { task: { ...task, retries }, at: now() + RETRY_DELAY };
    await tables.put(RETRY_TABLE, ingestId, entry);
    await tables.take(SCANNING_TABLE, scanKey);
    this.counts.retried += 1;
  }
}
