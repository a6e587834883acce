import type { ServiceMetrics } from '../../http/service-metrics.ts';
import type { Source } from '../sources/source.ts';
import type { SourceSettings } from '../sources/source-settings.ts';
import type { LimitedSources, LimitsOfSource } from './limited-sources.ts';

interface SourceMetricsDependencies {
  readonly metrics: ServiceMetrics;
  readonly sources: { all(): readonly Pick<Source, 'settings'>[] };
  readonly limited: Pick<LimitedSources, 'of'>;
  /** Returns the label of a source. */
  readonly labelOf: (settings: SourceSettings) => string;
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the histogram of the time that sources take, by label. */
export function latencyHistogram(metrics: ServiceMetrics): (source: string, seconds: number) => void {
  const help = 'Time that sources take to answer, without waiting for limits.';
  const histogram = metrics.histogram('enrichment_source_latency_seconds', help, ['source'], BUCKETS);
  return (source, seconds) => histogram.observe({ source }, seconds);
}

/** Adds the metrics by source, which are read when they are scraped. Sources that are gone have none. */
export function addSourceMetrics({ metrics, sources, limited, labelOf }: SourceMetricsDependencies): void {
  const read = (valuesOf: (limits: LimitsOfSource) => Iterable<readonly [string, number]>) => async () =>
    sources.all().flatMap(({ settings }) => {
      const limits = limited.of(settings);
      const source = labelOf(settings);
      return limits === undefined
        ? []
        : [...valuesOf(limits)].map(([label, value]) => [[source, label], value] as const);
    });
  const counter = (name: string, help: string, label: string, valuesOf: Parameters<typeof read>[0]) =>
    metrics.collected('counter', `enrichment_source_${name}`, help, ['source', label], read(valuesOf));
  const gauge = (name: string, help: string, label: string, valuesOf: Parameters<typeof read>[0]) =>
    metrics.collected('gauge', `enrichment_source_${name}`, help, ['source', label], read(valuesOf));

  counter('calls_total', 'Calls to sources, by what they do.', 'kind', ({ limits }) => limits.statistics.calls);
  counter('errors_total', 'Failed calls, by kind, and calls that a limit refused.', 'error', ({ limits }) => {
    return limits.statistics.failures;
  });
  counter('cached_total', 'Values that were answered from the cache, or not.', 'result', ({ cache }) =>
    cache === undefined ? [] : Object.entries({ hit: cache.counts.hits, miss: cache.counts.misses }),
  );
  gauge('circuit', 'State of the circuit breaker: 1 for the one that it is in.', 'state', ({ limits }) => [
    [limits.circuit().state, 1],
  ]);
  gauge('active', 'Calls that wait for a limit, or for the source.', 'state', ({ limits }) =>
    Object.entries({ waiting: limits.waiting, working: limits.working }),
  );
  metrics.collected(
    'gauge',
    'enrichment_source_rate_left',
    'Calls that are left of a rate, of all processes.',
    ['source', 'limit'],
    async () => {
      const all = sources.all().map(async ({ settings }) => {
        const left = (await limited.of(settings)?.limits.left()) ?? [];
        return left.map((one) => [[labelOf(settings), one.limit], one.left] as const);
      });
      return (await Promise.all(all)).flat();
    },
  );
}
