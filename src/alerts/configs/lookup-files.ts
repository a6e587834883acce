import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { InvalidInput, messageOf } from '../../errors/errors.ts';

/** Reads `lookups/<name>.yml` by name, if any; throws `invalid_setting` with the path of a bad file. */
export function readLookupFiles(confFolder: string): Readonly<Record<string, unknown>> {
  const folder = join(confFolder, 'lookups');
  return Object.fromEntries(
    yamlFiles(folder).map((name) => {
      const path = join(folder, name);
      try {
        return [name.slice(0, name.lastIndexOf('.')), parseYaml(readFileSync(path, 'utf8'))];
      } catch (error) {
        const reason = messageOf(error);
        throw new InvalidInput('invalid_setting', `${path} is not valid YAML: ${reason}`, { cause: error });
      }
    }),
  );
}

function yamlFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.yml'))
      .sort();
  } catch {
    return [];
  }
}
