import { existsSync, realpathSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const NAME = /^(?:@[A-Za-z0-9_-]+\/)?[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/**
 * Returns the folder of an extension: below the folder of extensions, else that of the package.
 * @throws Error that says where it was looked for
 */
export function extensionFolder(name: string, folder: string | null): string {
  if (!NAME.test(name)) throw new Error(`"${name}" is not the name of an extension.`);
  const own = folder === null ? undefined : resolve(folder, name);
  // The real path: an extension that is linked into the folder counts as a folder, not as a package.
  if (own !== undefined && existsSync(own) && statSync(own).isDirectory()) return realpathSync(own);
  for (const base of [import.meta.url, join(process.cwd(), 'package.json')]) {
    const found = findPackage(name, base);
    if (found !== undefined) return found;
  }
  const places = own === undefined ? 'no setting extension_folder (SVC_EXTENSION_FOLDER)' : `no folder ${own}`;
  throw new Error(`There is ${places}, and no package ${name}.`);
}

function findPackage(name: string, base: string): string | undefined {
  try {
    const file = findPackageJSON(name, base);
    return file === undefined ? undefined : dirname(file);
  } catch {
    return undefined;
  }
}
