import type { OWN_SOURCES } from '../../config/enrichment-settings.ts';
import type { ServiceMetrics } from '../../http/service-metrics.ts';
import type { InProcessSource } from './in-process/in-process-source-client.ts';
import type { SourceReach, SourceSettings } from './source-settings.ts';

/** Settings that a source of the program may have; the others have their defaults. */
export type OwnSourceSettings = Partial<
  Pick<
    SourceSettings,
    | 'url'
    | 'classification'
    | 'maxClassification'
    | 'oboTarget'
    | 'maintainer'
    | 'datahubLink'
    | 'documentationLink'
    | 'includeDefault'
    | 'defaultTimeout'
    | 'concurrency'
    | 'rateLimits'
    | 'cache'
    | 'valuesPerCall'
  >
>;

/** The state of one list of the source `lists`, as its status says it. */
export interface ListState {
  name: string;
  format: string;
  state: 'ready' | 'expired' | 'missing';
  entries: number;
  left_out: number;
  unknown_markings: number;
  updated?: string;
  failures: number;
  problem?: { at: string; reason: string };
}

/** A source that comes with the program, as `openOwnSources` returns it. */
export interface OwnSource {
  readonly name: string;
  readonly reach: SourceReach;
  readonly source: InProcessSource;
  readonly settings?: OwnSourceSettings;
  /** RE2 expressions of the types that this source adds; null for those that are not detected. */
  readonly addedTypes?: Readonly<Record<string, string | null>>;
  /** Begins work of its own when the service listens. */
  start?(): void;
  /** Returns what its status says in addition to that of every source, for this clearance. */
  statusFor?(clearance: string): { readonly lists: ListState[] };
  addMetrics?(metrics: ServiceMetrics): void;
  /** Releases what the source holds, after its last call. */
  close?(): Promise<void>;
}

export type OwnSourceName = (typeof OWN_SOURCES)[number];
