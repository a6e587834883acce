import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { safelistDocument } from '../documents/kinds/analysis/safelist.ts';
import { InvalidInput } from '../errors/errors.ts';
import type { FileStorage } from '../file-storage/file-storage.ts';
import type { Log } from '../http/request-log.ts';
import type { ServiceMetrics } from '../http/service-metrics.ts';
import { BUILT_IN_ANALYZERS } from './analyzers/built-in-analyzers.ts';
import { AnalyzerHost, type AnalyzerHostDependencies } from './analyzers/host/analyzer-host.ts';
import { OutputFiles } from './analyzers/host/output-files.ts';
import type { AnalyzerManifest } from './analyzers/manifest.ts';
import type { AnalysisFiles } from './files/analysis-files.ts';
import type { FileInfo } from './files/file-info.ts';
import type { ReceivedFile } from './files/received-file.ts';

export interface AnalyzersDependencies {
  readonly settings: Pick<Config, 'analysis'>;
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'events' | 'tables'>;
  readonly storage: FileStorage;
  readonly files: AnalysisFiles;
  readonly registry: AnalyzerHostDependencies['registry'];
  readonly dispatcher: AnalyzerHostDependencies['dispatcher'];
  readonly intake: AnalyzerHostDependencies['intake'];
  readonly log: Log;
}

const ACCESS = unrestricted('files on the safelist are left out for all users');

/** Opens the host of the built-in analyzers. @throws InvalidInput `invalid_setting` */
export function openAnalyzers({ settings, datastore, coordination, files, ...dependencies }: AnalyzersDependencies) {
  const { analyzers, submission } = settings.analysis;
  const safelist = datastore.collection(safelistDocument);
  const safeFiles = async (ids: readonly string[]) => {
    const found = await safelist.getMany(ids, ACCESS);
    return new Set(ids.filter((_id, index) => found[index]?.enabled === true && found[index]?.type === 'file'));
  };
  const chosen = chosenAnalyzers(analyzers.enabled);
  return new AnalyzerHost({
    ...dependencies,
    analyzers: chosen,
    unused: BUILT_IN_ANALYZERS.filter((one) => !chosen.includes(one)).map(({ name }) => name),
    events: coordination.events,
    tables: coordination.tables,
    output: new OutputFiles<ReceivedFile, FileInfo>({ files, safeFiles, maxSize: submission.max_file_size }),
    ...(analyzers.processes === 0 ? {} : { processes: analyzers.processes }),
  });
}

/** Returns the analyzers that the setting names. @throws InvalidInput `invalid_setting` */
export function chosenAnalyzers(enabled: readonly string[]): readonly AnalyzerManifest[] {
  const words = enabled.map((word) => word.toLowerCase());
  if (words.length === 1 && words[0] === 'all') return BUILT_IN_ANALYZERS;
  if (words.length === 0 || (words.length === 1 && words[0] === 'none')) return [];
  const names = BUILT_IN_ANALYZERS.map(({ name }) => name);
  const unknown = enabled.filter((word) => !names.some((name) => name.toLowerCase() === word.toLowerCase()));
  if (unknown.length > 0) {
    const message = `analysis.analyzers.enabled must be all, none or a list of ${names.join(', ')}. "${unknown.join(', ')}" is not allowed.`;
    throw new InvalidInput('invalid_setting', message, { at: 'analysis.analyzers.enabled' });
  }
  return BUILT_IN_ANALYZERS.filter(({ name }) => words.includes(name.toLowerCase()));
}

/** Adds the totals of the built-in analyzers of this process to the metrics. */
export function measureAnalyzers(host: AnalyzerHost, metrics: ServiceMetrics): void {
  const { tasks, cached, failures, kills, seconds } = host.totals;
  metrics.totals('built_in_analyzer_tasks_total', 'Tasks of built-in analyzers that ended.', 'service', () => tasks);
  metrics.totals(
    'built_in_analyzer_cache_hits_total',
    'Tasks whose result was stored already.',
    'service',
    () => cached,
  );
  metrics.totals(
    'built_in_analyzer_failures_total',
    'Tasks of built-in analyzers that failed.',
    'service',
    () => failures,
  );
  metrics.totals(
    'built_in_analyzer_kills_total',
    'Processes of built-in analyzers that were killed.',
    'service',
    () => kills,
  );
  metrics.totals('built_in_analyzer_seconds_total', 'Seconds that built-in analyzers ran.', 'service', () => seconds);
  metrics.gauge('built_in_analyzer_processes', 'Processes of built-in analyzers.', 'state', async () => {
    return new Map([['running', host.processes]]);
  });
}
