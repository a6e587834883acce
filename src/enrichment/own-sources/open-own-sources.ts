import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import { OWN_SOURCES } from '../../config/enrichment-settings.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Log } from '../../http/request-log.ts';
import type { ServiceName } from '../../identity/actor.ts';
import type { Job } from '../../jobs/job.ts';
import { ADAPTER_NAMES, openAdapters } from '../adapters/open-adapters.ts';
import { openListsSource } from '../lists/open-lists-source.ts';
import type { OwnSource, OwnSourceName } from '../sources/own-source.ts';
import { openAlertsSource } from './alerts/alerts-source.ts';
import { openAnalysisSource } from './analysis/analysis-source.ts';
import { openAttackSource } from './attack/attack-source.ts';
import { openFactsSource } from './facts/facts-source.ts';
import { openGeoSource } from './geo/geo-source.ts';

export interface OwnSourcesDependencies {
  readonly settings: Config;
  readonly engine: ClassificationEngine;
  readonly coordination: Coordination;
  /** Returns the address at which a service of this process listens; undefined before it does. */
  readonly addressOf: (service: ServiceName) => string | undefined;
  readonly log: Log;
}

export interface OwnSources {
  readonly sources: readonly OwnSource[];
  readonly jobs: readonly Job[];
  /** Names that no source of the settings may take, whether those sources are switched on or not. */
  readonly taken: ReadonlySet<string>;
  /** Names that no source may register: those that are taken, and those of adapters that are not used. */
  readonly reserved: ReadonlySet<string>;
}

type Opener = (dependencies: OwnSourcesDependencies) => OwnSource | undefined;

/** Each returns undefined when the settings do not name what the source needs. */
const OPENERS: Readonly<Partial<Record<OwnSourceName, Opener>>> = {
  facts: ({ engine }) => openFactsSource(engine),
  alerts: openAlertsSource,
  attack: ({ settings, engine, log }) => openAttackSource({ file: settings.enrichment.attack.file, engine, log }),
  geo: ({ settings, engine, log }) => openGeoSource({ files: settings.enrichment.geo.files, engine, log }),
  lists: openListsSource,
  analysis: openAnalysisSource,
};

/** Opens the sources that `enrichment.own_sources` and `enrichment.adapters` name. */
export function openOwnSources(dependencies: OwnSourcesDependencies): OwnSources {
  const { settings, engine, log } = dependencies;
  const { own_sources: names, adapters, adapter_keys: keys } = settings.enrichment;
  const sources = OWN_SOURCES.filter((name) => (names as readonly string[]).includes(name))
    .map((name) => OPENERS[name]?.(dependencies))
    .filter((source) => source !== undefined);
  const others = openAdapters({ adapters, keys, engine, log });
  const taken = new Set([...OWN_SOURCES, ...others.map(({ name }) => name)]);
  return { sources: [...sources, ...others], jobs: [], taken, reserved: new Set([...taken, ...ADAPTER_NAMES]) };
}
