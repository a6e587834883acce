import type { Config } from '../../config/config.ts';
import { dispatchSettings } from './dispatch-settings.ts';
import { Dispatcher, type DispatcherDependencies } from './dispatcher.ts';

/** Opens the dispatcher of this process. It dispatches nothing until it is started. */
export function openDispatcher({
  settings,
  ...dependencies
}: Omit<DispatcherDependencies, 'settings' | 'clock'> & { readonly settings: Pick<Config, 'analysis'> }): Dispatcher {
  return new Dispatcher({ ...dependencies, settings: dispatchSettings(settings) });
}
