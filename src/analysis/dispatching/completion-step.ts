import type { Coordination } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { isTriadError } from '../../errors/errors.ts';
import { COMPLETED_QUEUE, type Completion } from './completion-message.ts';
import { type CompletedFields, completedFields } from './progress/completed-submission.ts';
import type { SubmissionState } from './progress/submission-state.ts';

export interface CompletionStepDependencies {
  readonly submissions: Collection<Submission>;
  readonly queues: Coordination['queues'];
  readonly log: { error(entry: object, message: string): void };
}

/** Stores what an analysis came to and tells those who continue with it. May be repeated. */
export async function completeSubmission(
  state: SubmissionState,
  { submissions, queues, log }: CompletionStepDependencies,
): Promise<void> {
  const { sid, params, scan_key } = state.submission;
  const isCancelled = state.finished?.isCancelled === true;
  const { fullScore, ...fields } = completedFields(state);
  const operations = isCancelled ? markedAsDeleted() : completed(fields);
  try {
    await submissions.update(sid, operations);
  } catch (err) {
    const kind = isTriadError(err) ? err.kind : undefined;
    if (kind === 'invalid_input' || kind === 'too_large') {
      log.error({ err, sid }, 'the result of a submission cannot be stored; it failed');
      await submissions.update(sid, failed(state));
    } else if (kind !== 'not_found') throw err;
  }
  const completion: Completion = {
    sid,
    submitter: params.submitter,
    quota_item: params.quota_item,
    ...(scan_key == null ? {} : { scan_key }),
    ...(isCancelled ? { cancelled: true } : {}),
    ...(fullScore === fields.max_score ? {} : { full_score: fullScore }),
  };
  await queues.push(COMPLETED_QUEUE, [completion], { ids: [sid] });
}

function completed({ completedAt, ...fields }: Omit<CompletedFields, 'fullScore'>): readonly UpdateOperation[] {
  return [...Object.entries(fields), ['times.completed', completedAt] as const].map(([path, value]) => ({
    op: 'set',
    path,
    value,
  }));
}

/** Its owner deletes the document; what a crash leaves is deleted with what has expired. */
function markedAsDeleted(): readonly UpdateOperation[] {
  return [
    { op: 'set', path: 'to_be_deleted', value: true },
    { op: 'set', path: 'state', value: 'completed' },
  ];
}

function failed(state: SubmissionState): readonly UpdateOperation[] {
  return [
    { op: 'set', path: 'state', value: 'failed' },
    { op: 'set', path: 'times.completed', value: state.finished?.at ?? state.submission.times.submitted },
  ];
}
