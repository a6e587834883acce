import type { ClassificationEngine } from '../../classification/classification.ts';
import { isPublicAddress } from '../../identity/limits/public-addresses.ts';
import { HttpSourceClient } from '../sources/http/http-source-client.ts';
import type { SourceDirectory } from '../sources/source-directory.ts';
import { type ConfiguredSource, readSourceSettings } from '../sources/source-settings.ts';
import type { AddressRules } from './source-address.ts';
import type { RegistrableSources } from './source-registry.ts';

export interface RegisteredSourcesDependencies {
  readonly sources: Pick<SourceDirectory, 'find' | 'add' | 'remove'>;
  readonly engine: ClassificationEngine;
  readonly addresses: Pick<AddressRules, 'privateAddresses'>;
}

/** Names of the sources of this program, which no other may take, whether they are switched on or not. */
const OWN_NAMES: ReadonlySet<string> = new Set(['facts', 'alerts', 'analysis', 'lists', 'geo', 'attack']);

/** Returns the directory of this process as the registry changes it: plugins over HTTP. */
export function registeredSources(dependencies: RegisteredSourcesDependencies): RegistrableSources {
  const { sources, engine, addresses } = dependencies;
  const isAllowedAddress = addresses.privateAddresses ? undefined : isPublicAddress;
  return {
    isReserved: (name) => {
      const origin = sources.find(name)?.settings.origin;
      return OWN_NAMES.has(name) || (origin !== undefined && origin !== 'registered');
    },
    put: (source) => {
      const described = { ...NO_SETTINGS, ...source } as ConfiguredSource;
      const settings = readSourceSettings(described, { engine, origin: 'registered', at: '', code: 'invalid_source' });
      sources.remove(source.name);
      sources.add(settings, new HttpSourceClient({ url: settings.url, isAllowedAddress }));
    },
    remove: (name) => void sources.remove(name),
  };
}

/** Settings that a registration may leave out. */
const NO_SETTINGS = {
  classification: null,
  max_classification: null,
  obo_target: null,
  maintainer: null,
  datahub_link: null,
  documentation_link: null,
} as const;
