import type { ErrorStatuses } from '../http/answers/error-status.ts';

/**
 * Statuses of the analysis service that are not those of the kind of the error: its clients rely on them
 * (contract/analysis.md sections 1.2, 1.6 and 2.4). A 503 makes the public client try again, unless the message names the daily quota.
 */
export const ANALYSIS_STATUSES: ErrorStatuses = {
  quota_exceeded: 503,
  daily_quota_exceeded: 503,
  invalid_username: 412,
  weak_password: 469,
};
