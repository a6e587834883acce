import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { enterpriseTable } from '../../attack/attack-tables.ts';
import { readTextFile, yamlValue } from '../../config/config-files.ts';
import { attackLookups } from './attack-lookups.ts';

/** Lists for the web interface by name. */
type Lookups = Readonly<Record<string, unknown>>;

/**
 * Returns the tactics and techniques of the program and the lists of `<name>.yml` in the folder.
 * @throws InvalidInput `invalid_setting` with the path of a file that is not YAML
 */
export function readLookups(folder: string): Lookups {
  return { ...attackLookups(enterpriseTable()), ...readLookupFiles(folder) };
}

/** Reads the lists of the installation; none without the folder. @throws as `readLookups` */
export function readLookupFiles(folder: string): Lookups {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  return Object.fromEntries(
    names.sort().map((name) => {
      const file = readTextFile(folder, name) ?? { path: join(folder, name), text: '' };
      return [name.slice(0, name.lastIndexOf('.')), yamlValue(file)];
    }),
  );
}
