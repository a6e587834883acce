import { type Config, loadConfig } from '../config/config.ts';
import type { CommandContext } from './command.ts';

/**
 * The settings of a command that changes something and ends.
 * What it prints goes to standard output, so its security events go to standard error where those of the program go to
 * standard output.
 */
export function loadCommandConfig({ environment }: Pick<CommandContext, 'environment'>): Config {
  const config = loadConfig({ environment });
  return config.audit.to === 'stdout' ? { ...config, audit: { ...config.audit, to: 'stderr' } } : config;
}
