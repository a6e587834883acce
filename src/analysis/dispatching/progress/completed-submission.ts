import type { Submission } from '../../../documents/kinds/analysis/submission.ts';
import type { SubmissionState } from './submission-state.ts';

/** Fields of a submission that its completion sets. */
export type CompletedFields = Pick<
  Submission,
  'error_count' | 'errors' | 'file_count' | 'max_score' | 'results' | 'state' | 'tracing_events' | 'params'
> & { readonly completedAt: string };

/** Keys that a list of the document holds at most; more would keep it from being stored. */
const MAX_KEYS = 10_000;

/** Returns the outcome of the analysis; keys of results and errors are in the order of completion. */
export function completedFields(state: SubmissionState): CompletedFields {
  const { submission, files, settled, extraErrors, traces, finished } = state;
  const results = new Set<string>();
  const errors = new Set<string>();
  const scores = new Map<string, number>();
  for (const { sha256, summary, errorKey, phase } of settled) {
    if (phase === 'error' && errorKey !== undefined) errors.add(errorKey);
    if (phase !== 'result' || summary === undefined) continue;
    results.add(summary.key);
    scores.set(sha256, (scores.get(sha256) ?? 0) + summary.score);
  }
  for (const key of extraErrors) errors.add(key);
  const completedAt = finished?.at ?? submission.times.submitted;
  return {
    error_count: errors.size,
    errors: [...errors].slice(0, MAX_KEYS),
    file_count: files.size,
    max_score: [...scores.values()].reduce((highest, score) => Math.max(highest, score), firstScore(scores)),
    results: [...results].slice(0, MAX_KEYS),
    state: 'completed',
    tracing_events: [...submission.tracing_events, ...traces].slice(0, MAX_KEYS),
    params: withoutEmptyParams(submission.params),
    completedAt,
  };
}

/** A submission without results has the score 0; one with negative scores alone keeps the highest. */
function firstScore(scores: ReadonlyMap<string, number>): number {
  for (const score of scores.values()) return score;
  return 0;
}

/** Leaves out parameters without a value and empty lists of services, as the public system does. */
function withoutEmptyParams(params: Submission['params']): Submission['params'] {
  const { services, filetype_override, initial_data, ...others } = params;
  const lists = Object.entries(services).filter(([name, list]) => name === 'selected' || list.length > 0);
  return {
    ...others,
    ...(filetype_override == null ? {} : { filetype_override }),
    ...(initial_data == null ? {} : { initial_data }),
    services: Object.fromEntries(lists) as unknown as Submission['params']['services'],
  };
}
