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

/** A source that comes with the program, as `openOwnSources` returns it. */
export interface OwnSource {
  readonly name: string;
  readonly reach: SourceReach;
  readonly source: InProcessSource;
  readonly settings?: OwnSourceSettings;
  /** RE2 expressions of the types that this source adds; null for those that are not detected. */
  readonly addedTypes?: Readonly<Record<string, string | null>>;
  /** Releases what the source holds, after its last call. */
  close?(): Promise<void>;
}

/** Sources of the program in their order, which is that of the answers. */
export const OWN_SOURCES = ['facts', 'alerts', 'analysis', 'lists', 'geo', 'attack'] as const;
export type OwnSourceName = (typeof OWN_SOURCES)[number];
