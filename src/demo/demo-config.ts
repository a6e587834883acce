import type { Config } from '../config/config.ts';

/**
 * The configuration of a demo.
 * The users alone (`users`) are made to replay conversations that were recorded with the public system: like there,
 * searches of users without a stored filter are not filtered, the installation calls itself production, and neither
 * audit lines nor quotas are on.
 */
export function demoConfig(config: Config, kind: 'all' | 'users' | undefined): Config {
  if (kind !== 'users') return config;
  return {
    ...config,
    auth: { ...config.auth, users_without_access_control: 'unfiltered' },
    system: { ...config.system, type: 'production' },
    ui: { ...config.ui, audit: false, enforce_quota: false },
  };
}
