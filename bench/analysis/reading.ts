import type { AnalysisClient } from '../analysis-requests.ts';
import { type Latency, measureLatency } from '../http-load.ts';
import { largeSid } from './submission-documents.ts';

/** Routes that read a submission, each measured on other submissions, so that no cache holds them. */
export const READS = ['full', 'tree', 'summary', 'report'] as const;

/**
 * Reads large submissions.
 * @param from number of the first one; each is read once
 */
export function measureReading(
  client: AnalysisClient,
  what: (typeof READS)[number],
  from: number,
  count: number,
): Promise<Latency> {
  return measureLatency(1, count, (n) => client.get(`/api/v4/submission/${what}/${largeSid(from + n)}/`));
}
