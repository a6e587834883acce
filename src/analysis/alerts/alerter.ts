import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate, readDate } from '../../documents/schema/values/date-values.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { isConflict } from '../../errors/errors.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { SummaryContent } from '../submissions/submission-summary.ts';
import { alertContent } from './alert-content.ts';
import { mergeAlerts } from './alert-merge.ts';

/** State of the deeper scan that follows a submission. */
export type ExtendedScan = AnalysisAlert['extended_scan'];

/** A submission that people should look at. */
export interface AlertMessage {
  /** The submission that was analysed; for one that an earlier result answers, that one's. */
  readonly sid: string;
  readonly score: number;
  readonly extendedScan: ExtendedScan;
  /** Metadata and files as they were sent, which differ where an earlier result answers. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  readonly submittedAt: string;
}

/** Content of a submission for its alert, as its submitter may see it. */
export interface AlertSummary {
  readonly content: SummaryContent;
  /** Highest score of a file, by what the submitter may see. */
  readonly score: number;
  readonly screenshots: AnalysisAlert['file']['screenshots'];
}

export interface AlerterDependencies {
  readonly alerts: Collection<AnalysisAlert>;
  readonly submissions: Pick<Collection<Submission>, 'get'>;
  readonly files: Pick<Collection<FileRecord>, 'get'>;
  /** Summarises a submission for its submitter. */
  readonly summarise: (submission: Submission) => Promise<AlertSummary>;
  readonly classification: ClassificationEngine;
  /** Tells other processes and browsers of an alert. Never fails. */
  readonly publish: (event: AlertEvent) => Promise<void>;
  readonly log: { info(entry: object, message: string): void; warn(entry: object, message: string): void };
  /** Days until an alert is deleted; 0 never. */
  readonly daysToLive: number;
  readonly now?: () => Date;
}

export interface AlertEvent {
  readonly msg_type: 'AlertCreated' | 'AlertUpdated';
  readonly sender: 'alerter';
  readonly msg: AnalysisAlert;
}

const DAY = 86_400_000;
const ACCESS = unrestricted('an alert is made of what its submitter may see');

/** Makes alerts of submissions, and merges later messages for the same alert. */
export class Alerter {
  /** Messages of this process since its start, by what came of them; for heartbeats. */
  readonly counts = { received: 0, created: 0, updated: 0, error: 0 };
  readonly #dependencies: AlerterDependencies;
  readonly #alerts: Collection<AnalysisAlert>;
  readonly #now: () => Date;

  constructor(dependencies: AlerterDependencies) {
    this.#dependencies = dependencies;
    this.#alerts = classifiedCollection(dependencies.alerts, alertDocument, dependencies.classification);
    this.#now = dependencies.now ?? (() => new Date());
  }

  /** Makes or completes the alert of a submission; does nothing once submission or file are deleted. */
  async raise(message: AlertMessage): Promise<void> {
    this.counts.received += 1;
    try {
      await this.#raise(message);
    } catch (error) {
      this.counts.error += 1;
      throw error;
    }
  }

  async #raise(message: AlertMessage): Promise<void> {
    const alert = await this.#alertOf(message);
    if (alert === undefined) {
      this.#dependencies.log.info({ sid: message.sid }, 'no alert is made: the submission or its file is deleted');
      return;
    }
    const { classification, publish } = this.#dependencies;
    const event = await retryOnConflict(async (): Promise<AlertEvent> => {
      const stored = await this.#alerts.getVersioned(alert.alert_id, ACCESS);
      const saved = stored === undefined ? alert : mergeAlerts(stored.document, alert, classification);
      await this.#alerts.save(alert.alert_id, saved, { ifVersion: stored?.version ?? ABSENT, visible: 'now' });
      const msg_type = stored === undefined ? 'AlertCreated' : 'AlertUpdated';
      return { msg_type, sender: 'alerter', msg: wholeOutput(alertDocument, saved) };
    }, isConflict);
    this.counts[event.msg_type === 'AlertCreated' ? 'created' : 'updated'] += 1;
    await publish(event);
  }

  async #alertOf(message: AlertMessage): Promise<AnalysisAlert | undefined> {
    const { submissions, files, summarise, classification, daysToLive } = this.#dependencies;
    const submission = await submissions.get(message.sid, ACCESS);
    const [first] = message.files;
    if (submission === undefined || submission.to_be_deleted || first === undefined) return undefined;
    const file = await files.get(first.sha256, ACCESS);
    if (file === undefined) return undefined;
    const { content, score, screenshots } = await summarise(submission);
    const { type, ts, ...metadata } = message.metadata;
    const now = this.#now();
    const { params, verdict } = submission;
    const results = alertContent(content);
    const ended = submission.times.completed ?? formatDate(now);
    const input = {
      ...results,
      al: { ...results.al, request_end_time: ended, score: content.filtered ? score : message.score },
      alert_id: metadata.ingest_id || params.psid || submission.sid,
      classification: this.#highest(submission.classification, content.classification),
      expiry_ts: daysToLive > 0 ? formatDate(new Date(now.getTime() + daysToLive * DAY)) : undefined,
      extended_scan: await this.#extendedScan(message.extendedScan, submission),
      file: { ...hashesOf(file), name: first.name, screenshots },
      filtered: content.filtered,
      metadata,
      reporting_ts: formatDate(now),
      sid: submission.sid,
      submission_relations: [{ child: submission.sid, parent: params.psid }],
      ts: timeOf(ts, message.submittedAt, now),
      type: type || params.type,
      verdict,
    };
    return readDocument(alertDocument, input, { unknown: 'drop', classification, now }).document;
  }

  #highest(submission: string, summary: string): string {
    try {
      return this.#dependencies.classification.max(submission, summary);
    } catch {
      // No group may see both: what the submitter saw decides less than the submission.
      return submission;
    }
  }

  /** A deeper scan is complete unless it failed where the first one did not. */
  async #extendedScan(state: ExtendedScan, { params, errors }: Submission): Promise<ExtendedScan> {
    if (params.psid === undefined || state !== 'skipped') return state;
    const parent = await this.#dependencies.submissions.get(params.psid, ACCESS);
    const known = new Set((parent?.errors ?? []).map(withoutCode));
    return errors.every((key) => known.has(withoutCode(key))) ? 'completed' : 'incomplete';
  }
}

function hashesOf({ md5, sha1, sha256, size, type }: FileRecord) {
  return { md5, sha1, sha256, size, type };
}

/** Returns an error key without what went wrong. */
function withoutCode(key: string): string {
  return key.slice(0, key.lastIndexOf('.'));
}

function timeOf(sent: string | undefined, submittedAt: string, now: Date): string {
  if (!sent) return submittedAt;
  try {
    return readDate(sent, now);
  } catch {
    return submittedAt;
  }
}
