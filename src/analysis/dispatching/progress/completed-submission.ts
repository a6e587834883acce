import type { Submission } from '../../../documents/kinds/analysis/submission.ts';
import type { SubmissionState } from './submission-state.ts';

/** Fields of a submission that its completion sets. */
export type CompletedFields = Pick<
  Submission,
  'error_count' | 'errors' | 'file_count' | 'max_score' | 'results' | 'state' | 'tracing_events' | 'params'
> & { readonly completedAt: string; readonly fullScore: number };

/** Keys that a list of the document holds at most; more would keep it from being stored. */
const MAX_KEYS = 10_000;

/**
 * Returns the outcome of the analysis; keys of results and errors are in the order of completion.
 * Searches compare and add up the score and the counts, so these count what every reader of the submission may see;
 * `fullScore` counts everything.
 */
export function completedFields(state: SubmissionState): CompletedFields {
  const { submission, files, settled, extraErrors, traces, finished } = state;
  const results = new Set<string>();
  const errors = new Set<string>();
  const scores = new Map<string, number>();
  const openScores = new Map<string, number>();
  const restricted = restrictedFiles(state);
  const isOpenKey = (key: string) => !restricted.has(key.slice(0, 64));
  for (const { sha256, summary, errorKey, phase } of settled) {
    if (phase === 'error' && errorKey !== undefined) errors.add(errorKey);
    if (phase !== 'result' || summary === undefined) continue;
    results.add(summary.key);
    const { score, openScore = score } = summary;
    scores.set(sha256, (scores.get(sha256) ?? 0) + score);
    if (!restricted.has(sha256)) openScores.set(sha256, (openScores.get(sha256) ?? 0) + openScore);
  }
  for (const key of extraErrors) errors.add(key);
  const completedAt = finished?.at ?? submission.times.submitted;
  return {
    error_count: restricted.size === 0 ? errors.size : [...errors].filter(isOpenKey).length,
    errors: [...errors].slice(0, MAX_KEYS),
    file_count: files.size - restricted.size,
    max_score: highestScore(openScores),
    fullScore: highestScore(scores),
    results: [...results].slice(0, MAX_KEYS),
    state: 'completed',
    tracing_events: [...submission.tracing_events, ...traces].slice(0, MAX_KEYS),
    params: withoutEmptyParams(submission.params),
    completedAt,
  };
}

/** A submission without results has the score 0; one with negative scores alone keeps the highest. */
function highestScore(scores: ReadonlyMap<string, number>): number {
  let highest: number | undefined;
  for (const score of scores.values()) if (highest === undefined || score > highest) highest = score;
  return highest ?? 0;
}

/** Returns the files that not every reader of the submission reaches through files that they may see. */
function restrictedFiles({ submission, files, settled }: SubmissionState): ReadonlySet<string> {
  const summaries = [...settled].flatMap(({ sha256, summary }) => (summary === undefined ? [] : [{ sha256, summary }]));
  if (!summaries.some(({ summary }) => summary.children.some(({ isRestricted }) => isRestricted))) return NO_FILES;
  const children = new Map<string, string[]>();
  for (const { sha256, summary } of summaries) {
    const open = summary.children.filter(({ isRestricted }) => !isRestricted).map((child) => child.sha256);
    children.set(sha256, [...(children.get(sha256) ?? []), ...open]);
  }
  const reached = new Set(submission.files.map(({ sha256 }) => sha256));
  // A set yields what is added while it is walked.
  for (const sha256 of reached) for (const child of children.get(sha256) ?? []) reached.add(child);
  return new Set([...files.keys()].filter((sha256) => !reached.has(sha256)));
}

const NO_FILES: ReadonlySet<string> = new Set();

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
