import { join } from 'node:path';
import type { Config } from '../config/config.ts';

/** Indicators of which the demo's alerts have each. */
export const DEMO_INDICATORS = join(import.meta.dirname, 'demo-indicators.csv');

/**
 * The configuration of a demo.
 * The users alone (`users`) are made to replay conversations that were recorded with the public system: like there,
 * searches of users without a stored filter are not filtered, the installation calls itself production, and neither
 * audit lines nor quotas are on. The whole demo has a list of indicators, where no list is configured.
 * @param hasFolder false: nothing is written to the data folder, so there can be no list
 */
export function demoConfig(config: Config, kind: 'all' | 'users' | undefined, hasFolder: boolean): Config {
  if (kind === 'all' && hasFolder && config.enrichment.lists.length === 0) return withIndicators(config);
  if (kind !== 'users') return config;
  return {
    ...config,
    auth: { ...config.auth, users_without_access_control: 'unfiltered' },
    system: { ...config.system, type: 'production' },
    ui: { ...config.ui, audit: false, enforce_quota: false },
  };
}

function withIndicators(config: Config): Config {
  const list: Config['enrichment']['lists'][number] = {
    ...{ name: 'demo-indicators', format: 'csv', path: DEMO_INDICATORS, url: null, collection: null },
    ...{ interval: null, expires: null, opinion: 'malicious', confidence: 0.5, classification: null },
    ...{ match: null, column: null, username: null, password: null, api_key: null },
  };
  return { ...config, enrichment: { ...config.enrichment, lists: [list] } };
}
