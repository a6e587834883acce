import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { InvalidInput, messageOf } from '../errors/errors.ts';

/** A file of the configuration folder as it stands there. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** The folder that variables name, else `./conf` where it exists, else `/etc/svc/conf`. */
export function findConfFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment.SVC_CONF_FOLDER;
  if (named !== undefined && named !== '') {
    if (statSync(named, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new InvalidInput('invalid_setting', `SVC_CONF_FOLDER: the folder ${resolve(named)} does not exist.`, {
        at: 'SVC_CONF_FOLDER',
      });
    }
    return resolve(named);
  }
  return existsSync('conf') ? resolve('conf') : '/etc/svc/conf';
}

/** Undefined when there is no such file. */
export function readTextFile(folder: string, name: string): TextFile | undefined {
  const path = join(folder, name);
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw new InvalidInput('invalid_setting', `${path} cannot be read: ${String(error)}.`, { cause: error });
  }
}

/**
 * Returns the top-level keys of a YAML file; none when it is missing or empty.
 * @param options.repeated accept repeated keys, the last one counts; default: refuse them
 */
export function readYamlFile(
  folder: string,
  name: string,
  options: { readonly repeated?: boolean } = {},
): { readonly path: string; readonly keys: Record<string, unknown> } {
  const file = readTextFile(folder, name);
  const path = file?.path ?? join(folder, name);
  const keys = file === undefined ? {} : (yamlValue(file, options) ?? {});
  if (typeof keys !== 'object' || Array.isArray(keys)) {
    throw new InvalidInput('invalid_setting', `${path} must be a mapping of keys.`);
  }
  return { path, keys: keys as Record<string, unknown> };
}

/**
 * Returns the value of a YAML file. `<<` merges mappings, as in YAML 1.1.
 * @throws InvalidInput `invalid_setting` if it is not YAML, expands aliases without bound or contains itself
 */
export function yamlValue({ path, text }: TextFile, { repeated = false } = {}): unknown {
  try {
    const value: unknown = parseYaml(text, { uniqueKeys: !repeated, merge: true });
    // An alias inside its own anchor makes a value that has no end.
    JSON.stringify(value);
    return value;
  } catch (error) {
    throw new InvalidInput('invalid_setting', `${path} is not valid YAML: ${messageOf(error)}`, { cause: error });
  }
}
