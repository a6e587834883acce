import { Resolver } from 'node:dns';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { OWN_SOURCES } from '../../config/enrichment-settings.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { readSourceSettings } from '../sources/source-settings.ts';
import type { Adapter } from './adapter.ts';
import { AdapterSource, type AdapterSourceOptions } from './adapter-source.ts';
import { lacksKey, missingKey } from './vendor-access.ts';
import { ADAPTERS } from './vendors/adapter-list.ts';

type AdapterSettings = Settings['enrichment']['adapters'];

export interface OpenAdaptersDependencies {
  readonly adapters: AdapterSettings;
  /** Keys by name of the source. */
  readonly keys: Readonly<Record<string, string>>;
  readonly engine: ClassificationEngine;
  readonly log: Pick<Log, 'warn'>;
  /** Called with each request and its answer. */
  readonly onExchange?: AdapterSourceOptions['onExchange'];
}

/** Names that sources of adapters usually have; sources that register themselves may not take them. */
export const ADAPTER_NAMES: readonly string[] = ADAPTERS.map(({ name }) => name);

/** Opens the sources that `enrichment.adapters` names. @throws InvalidInput `invalid_setting` */
export function openAdapters(dependencies: OpenAdaptersDependencies): readonly OwnSource[] {
  const { adapters, keys, log } = dependencies;
  for (const name of Object.keys(keys)) {
    if (!Object.hasOwn(adapters, name)) {
      log.warn(
        { source: name },
        `enrichment.adapter_keys.${name} has no effect: enrichment.adapters.${name} is not set`,
      );
    }
  }
  return Object.entries(adapters)
    .filter(([, { enabled }]) => enabled)
    .map(([name, settings]) => openAdapter(name, settings, dependencies));
}

function openAdapter(
  name: string,
  settings: AdapterSettings[string],
  { keys, engine, log, onExchange }: OpenAdaptersDependencies,
): OwnSource {
  const at = `enrichment.adapters.${name}`;
  if (!/^[^/,\s]+$/.test(name) || (OWN_SOURCES as readonly string[]).includes(name)) {
    throw invalid(
      at,
      `"${name}" cannot be the name of a source. Names have no blanks, commas or slashes, and differ from those of the sources of the program.`,
    );
  }
  const adapter = adapterOf(settings.adapter || name, `${at}.adapter`);
  const url = (settings.url || adapter.url)?.replace(/\/+$/, '');
  if (url === undefined) throw invalid(`${at}.url`, `is required: ${adapter.title} has no address of its own.`);
  rejectServers(settings.servers, `${at}.servers`);
  const key = (Object.hasOwn(keys, name) ? keys[name] : undefined) || settings.api_key || undefined;
  const isKeyMissing = lacksKey(adapter, key);
  if (isKeyMissing) log.warn({ source: name }, missingKey(name).message);
  const read = readSourceSettings(
    {
      ...settings,
      name,
      url,
      obo_target: null,
      identity: null,
      datahub_link: null,
      documentation_link: adapter.documentation,
      production: false,
      built_in: true,
      rate_limits: [...(settings.rate_limits ?? adapter.rateLimits)],
    },
    { engine, origin: 'own', at },
  );
  const source = new AdapterSource({
    adapter,
    name,
    url,
    key,
    servers: settings.servers,
    engine,
    classification: read.classification,
    onExchange,
  });
  const { classification, maxClassification, maintainer, documentationLink, includeDefault, defaultTimeout } = read;
  return {
    name,
    reach: adapter.reach,
    source,
    settings: {
      url,
      classification,
      maxClassification,
      maintainer,
      documentationLink,
      includeDefault,
      defaultTimeout,
      concurrency: read.concurrency,
      // A vendor that is not called uses up no limit, and its error is not cached.
      rateLimits: isKeyMissing ? [] : read.rateLimits,
      cache: read.cache,
      valuesPerCall: adapter.valuesPerCall ?? 1,
    },
    close: () => source.close(),
  };
}

function adapterOf(name: string, at: string): Adapter {
  const adapter = ADAPTERS.find((one) => one.name === name);
  if (adapter !== undefined) return adapter;
  throw invalid(at, `"${name}" is not an adapter. Allowed: ${ADAPTER_NAMES.join(', ')}.`);
}

function rejectServers(servers: readonly string[], at: string): void {
  if (servers.length === 0) return;
  try {
    new Resolver().setServers(servers);
  } catch (cause) {
    throw invalid(
      at,
      `${servers.join(', ')} are not addresses of name servers, such as 192.0.2.1 or 192.0.2.1:53.`,
      cause,
    );
  }
}

function invalid(at: string, problem: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_setting', `${at}: ${problem}`, { at, cause });
}
