import type { ApiProblem } from './problem.ts';

/** Tries of a request whose end the server does not announce. */
export const MAX_TRIES = 5;
/** Seconds. A longer pause is said to the reader instead of waited for. */
const MAX_PAUSE = 60;
/** Codes of 503 that waiting does not help: the request or the installation has to change. */
const NOT_BY_WAITING: ReadonlySet<string | undefined> = new Set([
  'audit_log_unreadable',
  'daily_quota_exceeded',
  'file_damaged',
  'query_over_budget',
  'search_timeout',
]);

export interface Attempt {
  /** Changes nothing, so that it may be sent any number of times. */
  readonly isRead: boolean;
  /** Number of the attempt that was refused, from 1. */
  readonly count: number;
}

/**
 * Returns the seconds until a refused request is sent again; undefined: it is not. Reads wait for as
 * long as the server asks them to. Of writes only those are repeated that were refused before they began.
 */
export function secondsUntilRetry(problem: ApiProblem, { isRead, count }: Attempt): number | undefined {
  const { status, code, retryAfter } = problem;
  const isPause = (status === 429 || status === 503) && (retryAfter ?? 0) <= MAX_PAUSE;
  if (!isPause || NOT_BY_WAITING.has(code)) return undefined;
  const isRefusedBefore = code === 'quota_exceeded' && count < MAX_TRIES;
  if (!isRead && !isRefusedBefore) return undefined;
  if (retryAfter !== undefined) return Math.max(1, retryAfter);
  return isRead && count < MAX_TRIES ? 2 ** (count - 1) : undefined;
}
