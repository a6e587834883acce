import type { ClassificationEngine } from '../../classification/classification.ts';
import { externalSourceSettings } from '../../config/enrichment-settings.ts';
import { isPublicAddress } from '../../identity/limits/public-addresses.ts';
import { InputProblem, inputReader } from '../../input/input-reader.ts';
import { HttpSourceClient } from '../sources/http/http-source-client.ts';
import type { SourceDirectory } from '../sources/source-directory.ts';
import { readSourceSettings } from '../sources/source-settings.ts';
import type { AddressRules } from './source-address.ts';
import type { RegistrableSources } from './source-registry.ts';

export interface RegisteredSourcesDependencies {
  readonly sources: Pick<SourceDirectory, 'find' | 'add' | 'remove'>;
  readonly engine: ClassificationEngine;
  readonly addresses: Pick<AddressRules, 'privateAddresses'>;
  /** Names of sources of the program, switched on or not. */
  readonly reserved: ReadonlySet<string>;
}

const readSettings = inputReader(externalSourceSettings);

/** Returns the directory of this process as the registry changes it: plugins over HTTP. */
export function registeredSources(dependencies: RegisteredSourcesDependencies): RegistrableSources {
  const { sources, engine, addresses, reserved } = dependencies;
  const isAllowedAddress = addresses.privateAddresses ? undefined : isPublicAddress;
  return {
    isReserved: (name) => {
      const origin = sources.find(name)?.settings.origin;
      return reserved.has(name) || (origin !== undefined && origin !== 'registered');
    },
    put: (source) => {
      // Settings that only operators make have their defaults.
      const described = readSettings(source);
      if (described instanceof InputProblem) throw new Error(`the setting ${described.at} is not valid`);
      const settings = readSourceSettings(described, { engine, origin: 'registered', at: '', code: 'invalid_source' });
      sources.remove(source.name);
      sources.add(settings, new HttpSourceClient({ url: settings.url, isAllowedAddress }));
    },
    remove: (name) => void sources.remove(name),
  };
}
