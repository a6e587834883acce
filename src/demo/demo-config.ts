import type { Config } from '../config/config.ts';

/**
 * The configuration of a demo. The users alone (`users`) are made to replay conversations that were recorded with the public system:
 * like there, searches of users without a stored filter are not filtered, and the installation calls itself production.
 */
export function demoConfig(config: Config, kind: 'all' | 'users' | undefined): Config {
  if (kind !== 'users') return config;
  return {
    ...config,
    auth: { ...config.auth, users_without_filter: 'unfiltered' },
    system: { ...config.system, type: 'production' },
  };
}
