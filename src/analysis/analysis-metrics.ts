import type { ServiceMetrics } from '../http/service-metrics.ts';
import type { AnalysisParts } from './analysis-parts.ts';
import { measureAnalyzers } from './analyzers-resource.ts';

/** Adds the figures of dispatching and of the services to the metrics of the analysis service. */
export function measureAnalysis(
  { analyzers, dispatcher, ingest, overview }: AnalysisParts,
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
  metrics.totals('service_retry_errors_total', 'Tasks that failed after their last attempt.', 'service', () => {
    return counts.retryErrors;
  });
  metrics.totals('ingest_total', 'Files that came in bulk, by what became of them.', 'outcome', () => {
    return new Map(Object.entries(ingest.steps.counts));
  });
  measureAnalyzers(analyzers, metrics);
}
