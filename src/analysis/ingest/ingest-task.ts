import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import type { ExtendedScan } from '../alerts/alerter.ts';
import { type MessageSubmission, messageParams } from './message-submission.ts';

/** A file that came in bulk, on its way. */
export interface IngestTask {
  /** Also the identifier of its submission. */
  readonly ingestId: string;
  /** When it came in. */
  readonly time: string;
  readonly files: Submission['files'];
  readonly metadata: Submission['metadata'];
  readonly params: Submission['params'];
  readonly notification: { readonly queue: string | null; readonly threshold: number | null };
  /** Key that equal tasks share. */
  readonly scanKey: string;
  readonly retries: number;
  /** The submission is stored and continues: no earlier score answers it, and nothing drops it. */
  readonly isImported?: true;
}

/** The end of a task. */
export interface IngestOutcome {
  /** Submission that the answer comes from, which may be an older one. */
  readonly sid: string;
  /** Undefined when it was not analysed. */
  readonly score: number | undefined;
  /** Reason why it was not analysed; empty for none. */
  readonly failure: string;
  readonly extendedScan: ExtendedScan;
  readonly psid?: string | undefined;
}

/** A notification, with the names of the public system. */
export interface IngestNotification {
  readonly extended_scan: ExtendedScan;
  readonly failure: string;
  readonly ingest_id: string;
  readonly ingest_time: string;
  readonly notify_time: string;
  readonly retries: number;
  readonly score: number | null;
  readonly submission: MessageSubmission;
}

/** Bytes of the files of a task. */
export function taskSize({ files }: Pick<IngestTask, 'files'>): number {
  return files.reduce((size, one) => size + Number(one.size ?? 0), 0);
}

/** Returns the message that tells a submitter about the end of a task. */
export function notificationOf(task: IngestTask, outcome: IngestOutcome, now: Date): IngestNotification {
  const { sid, score, failure, extendedScan, psid } = outcome;
  const params = psid === undefined ? task.params : { ...task.params, psid };
  return {
    extended_scan: extendedScan,
    failure,
    ingest_id: task.ingestId,
    ingest_time: task.time,
    notify_time: formatDate(now),
    retries: task.retries,
    score: score ?? null,
    submission: {
      errors: [],
      file_infos: {},
      file_tree: {},
      files: task.files.map((one) => ({ name: one.name, sha256: one.sha256, size: Number(one.size ?? 0) })),
      metadata: task.metadata,
      notification: task.notification,
      params: messageParams(params),
      results: {},
      scan_key: task.scanKey,
      sid,
      time: task.time,
    },
  };
}
