import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { HttpSourceClient } from './http/http-source-client.ts';
import { SourceDirectory, type SourceDirectoryDependencies } from './source-directory.ts';
import { readSourceSettings } from './source-settings.ts';

/**
 * Returns a directory with the configured sources.
 * @throws InvalidInput `invalid_setting` for an invalid source, a repeated or reserved name
 */
export function openSourceDirectory(
  configured: Settings['enrichment']['external_sources'],
  dependencies: SourceDirectoryDependencies,
  /** Names of sources of the program. */
  reserved: ReadonlySet<string>,
): SourceDirectory {
  const directory = new SourceDirectory(dependencies);
  for (const [index, source] of configured.entries()) {
    const at = `enrichment.external_sources[${index}]`;
    const settings = readSourceSettings(source, { engine: dependencies.engine, origin: 'configured', at });
    if (reserved.has(settings.name)) {
      throw new InvalidInput(
        'invalid_setting',
        `${at}.name: ${settings.name} is a source of the program. Choose another name.`,
        {
          at: `${at}.name`,
        },
      );
    }
    if (directory.find(settings.name) !== undefined) {
      throw new InvalidInput('invalid_setting', `${at}.name: there is another source ${settings.name}.`, {
        at: `${at}.name`,
      });
    }
    directory.add(settings, new HttpSourceClient({ url: settings.url }));
  }
  return directory;
}
