import type { ClassificationEngine } from '../../classification/classification.ts';
import type { SourceClient } from '../../enrichment/sources/source-client.ts';
import { SourceDirectory, type SourceDirectoryDependencies } from '../../enrichment/sources/source-directory.ts';
import type { SourceSettings } from '../../enrichment/sources/source-settings.ts';
import { SupportedTypes } from '../../enrichment/supported-types/supported-types.ts';

/** A source in this process: settings other than the usual ones, and its answers. */
export interface ScriptedSource extends Partial<SourceClient> {
  readonly name: string;
  readonly settings?: Partial<SourceSettings>;
}

const NOT_SCRIPTED = async () => {
  throw new Error('the test did not expect this call');
};

/** For tests: a directory of sources whose answers are functions. By default they offer two types. */
export function openScriptedSources(
  engine: ClassificationEngine,
  sources: readonly ScriptedSource[],
  dependencies: Partial<SourceDirectoryDependencies> = {},
): SourceDirectory {
  const directory = new SourceDirectory({
    engine,
    supportedTypes: new SupportedTypes(),
    credentials: { tokenFor: async () => ({}) },
    log: { warn: () => {} },
    ...dependencies,
  });
  for (const { name, settings, ...answers } of sources) {
    directory.add(scriptedSettings(engine, { name, ...settings }), {
      types: async () => ({ domain: engine.unrestricted, ipv4: engine.unrestricted }),
      lookup: NOT_SCRIPTED,
      lookupOne: NOT_SCRIPTED,
      actions: NOT_SCRIPTED,
      runAction: NOT_SCRIPTED,
      fetchers: NOT_SCRIPTED,
      runFetcher: NOT_SCRIPTED,
      close: async () => {},
      ...answers,
    });
  }
  return directory;
}

/** Settings of a source that every caller may use for everything. */
export function scriptedSettings(
  engine: ClassificationEngine,
  settings: Partial<SourceSettings> & Pick<SourceSettings, 'name'>,
): SourceSettings {
  return {
    url: '',
    classification: engine.unrestricted,
    maxClassification: engine.unrestricted,
    declaredMaxClassification: undefined,
    oboTarget: undefined,
    maintainer: undefined,
    datahubLink: undefined,
    documentationLink: undefined,
    production: false,
    includeDefault: true,
    builtIn: true,
    defaultTimeout: 30,
    concurrency: 16,
    rateLimits: [],
    cache: { ttl: 0, shared: false },
    origin: 'configured',
    reach: 'passive',
    ...settings,
  };
}
