import type { ClassificationEngine } from '../../classification/classification.ts';
import type { SupportedTypes } from '../supported-types/supported-types.ts';
import { InProcessSourceClient } from './in-process/in-process-source-client.ts';
import type { OwnSource } from './own-source.ts';
import type { SourceDirectory } from './source-directory.ts';
import type { SourceSettings } from './source-settings.ts';

export interface OwnSourcesContext {
  readonly directory: Pick<SourceDirectory, 'add'>;
  readonly supportedTypes: Pick<SupportedTypes, 'add'>;
  readonly engine: ClassificationEngine;
}

/** Owner of the types that sources of the program add. */
const OWNER = 'triad';

/** Adds sources of the program to the directory, with the types that they need. */
export function addOwnSources(sources: readonly OwnSource[], context: OwnSourcesContext): void {
  for (const own of sources) {
    for (const [type, expression] of Object.entries(own.addedTypes ?? {})) {
      context.supportedTypes.add(type, expression, OWNER);
    }
    context.directory.add(settingsOf(own, context.engine), new InProcessSourceClient(own.source));
  }
}

/**
 * Returns the settings of a source. Those from which nothing leaves take values of every
 * classification and are asked by default; others get unrestricted values, when they are named.
 */
function settingsOf({ name, reach, settings }: OwnSource, engine: ClassificationEngine): SourceSettings {
  const isLocal = reach === 'local';
  const defaults: SourceSettings = {
    name,
    url: '',
    classification: engine.unrestricted,
    maxClassification: isLocal ? engine.restricted : engine.unrestricted,
    declaredMaxClassification: settings?.maxClassification,
    oboTarget: undefined,
    maintainer: undefined,
    datahubLink: undefined,
    documentationLink: undefined,
    production: false,
    includeDefault: isLocal,
    builtIn: true,
    defaultTimeout: 30,
    concurrency: 16,
    rateLimits: [],
    cache: { ttl: 0, shared: false },
    origin: 'own',
    reach,
  };
  return { ...defaults, ...settings };
}
