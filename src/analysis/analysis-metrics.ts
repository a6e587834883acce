import type { ServiceMetrics } from '../http/service-metrics.ts';
import type { AnalysisParts } from './analysis-parts.ts';
import { measureAnalyzers } from './analyzers-resource.ts';

/** Adds the figures of dispatching and of the services to the metrics of the analysis service. */
export function measureAnalysis(
  { analyzers, dispatcher, ingest, intake, overview }: AnalysisParts,
  metrics: ServiceMetrics,
): void {
  const { counts } = dispatcher;
  metrics.gauge('service_queue_items', 'Tasks that wait for a worker.', 'service', () => overview.lengths());
  metrics.gauge('service_queue_age_seconds', 'Seconds that the oldest task waits.', 'service', () => overview.ages());
  metrics.gauge('submissions_inflight', 'Submissions that this process dispatches.', 'state', async () => {
    return new Map([['running', dispatcher.inflight]]);
  });
  metrics.totals('submissions_completed_total', 'Submissions that this process completed.', 'state', () => {
    return new Map([['completed', counts.completed]]);
  });
  metrics.totals('service_timeouts_total', 'Tasks whose worker did not answer in time.', 'service', () => {
    return counts.timeouts;
  });
  metrics.totals('service_retries_total', 'Tasks that were given out again after an attempt.', 'service', () => {
    return counts.retries;
  });
  metrics.totals('service_retry_errors_total', 'Tasks that failed after their last attempt.', 'service', () => {
    return counts.retryErrors;
  });
  metrics.totals('service_cache_hits_total', 'Tasks that a stored result answered.', 'service', () => {
    return intake.counts.totals('cache_hit');
  });
  metrics.totals('service_cache_misses_total', 'Tasks without a stored result.', 'service', () => {
    return intake.counts.totals('cache_miss');
  });
  metrics.gauge('ingest_queue_items', 'Files that came in bulk and wait, by queue.', 'queue', () => ingest.lengths());
  metrics.gauge('ingest_queue_age_seconds', 'Seconds that the oldest file of a queue waits.', 'queue', () => {
    return ingest.ages();
  });
  metrics.gauge('ingest_inflight', 'Files that came in bulk and are analysed, in all processes.', 'state', async () => {
    return new Map([['running', await ingest.steps.inFlight()]]);
  });
  metrics.totals('ingest_total', 'Files that came in bulk, by what became of them.', 'outcome', () => {
    return new Map(Object.entries(ingest.steps.counts));
  });
  measureAnalyzers(analyzers, metrics);
}
