import type { ErrorStatuses } from '../http/answers/error-status.ts';

/** Statuses that clients of the enrichment service rely on, in place of those of the kind of error. */
export const ENRICHMENT_STATUSES: ErrorStatuses = { action_failed: 500 };
