import type { Submission } from '../../documents/kinds/analysis/submission.ts';

/** Channel of what happens to submissions. */
export const SUBMISSION_CHANNEL = 'analysis.submission';

export type SubmissionEvent = 'SubmissionReceived' | 'SubmissionQueued' | 'SubmissionStarted' | 'SubmissionCompleted';

export interface SubmissionMessage {
  readonly msg_type: SubmissionEvent;
  readonly sender: string;
  readonly msg: {
    readonly sid: string;
    readonly time: string;
    readonly files: Submission['files'];
    readonly metadata: Submission['metadata'];
    readonly notification: { readonly queue: string | null; readonly threshold: number | null };
    readonly params: Submission['params'];
    readonly scan_key: string | null;
  };
}

/** Returns the message about a submission, as the public system publishes it. */
export function submissionMessage(event: SubmissionEvent, sender: string, submission: Submission): SubmissionMessage {
  const { sid, times, files, metadata, params, scan_key } = submission;
  return {
    msg_type: event,
    sender,
    msg: {
      sid,
      time: times.submitted,
      files,
      metadata,
      notification: { queue: null, threshold: null },
      params,
      scan_key: scan_key ?? null,
    },
  };
}
