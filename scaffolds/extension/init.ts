import type { Application } from 'triad/extension';

/** Runs once, before the routes are registered. */
export function initialize(app: Application): void {
  if (app.config.features.greeting) app.log.info('ready', { version: app.version });
}
