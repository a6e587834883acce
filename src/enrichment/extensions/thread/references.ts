import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the modules of an extension. */
export interface ExtensionPlace {
  /** Names by which references may begin: of the manifest, and of the setting. */
  readonly names: readonly string[];
  readonly folder: string;
}

type Module = Readonly<Record<string, unknown>>;

const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'];

/** Loads a module of an extension; undefined if there is none. Throws what the module throws. */
export async function loadModule(folder: string, parts: readonly string[]): Promise<Module | undefined> {
  const base = join(folder, ...parts);
  const file = ENDINGS.map((ending) => `${base}${ending}`).find((one) => existsSync(one));
  return file === undefined ? undefined : ((await import(pathToFileURL(file).href)) as Module);
}

/**
 * Returns what a reference names: `name.module:export`, `name.module.export` or `name.module`, whose
 * first export of `usual` counts.
 * @throws Error for what is not there
 */
export async function resolveReference(
  reference: string,
  place: ExtensionPlace,
  usual: readonly string[],
  fits: (value: unknown) => boolean = (value) => typeof value === 'function',
): Promise<unknown> {
  const [path = '', attribute] = reference.split(/[:#]/, 2);
  const parts = path.split(/[./]/);
  if (parts.some((part) => !/^[A-Za-z0-9_@-]+$/.test(part))) throw new Error(`"${reference}" is not a reference.`);
  const isOwn = place.names.includes(parts[0] ?? '');
  const own = isOwn ? parts.slice(1) : parts;
  const load =
    isOwn || parts.length === 1 ? (some: readonly string[]) => loadModule(place.folder, some) : importPackage;
  const module = own.length === 0 ? await loadModule(place.folder, ['index']) : await load(own);
  if (module !== undefined) {
    const names = attribute === undefined ? [own.at(-1) ?? '', ...usual, 'default'] : [attribute];
    const name = names.find((one) => fits(module[one]));
    if (name !== undefined) return module[name];
    const fitting = Object.values(module).filter(fits);
    if (attribute === undefined && fitting.length === 1) return fitting[0];
    throw new Error(
      `The module of "${reference}" exports none of ${[...new Set(names)].join(', ')} of the right kind.`,
    );
  }
  const last = own.at(-1);
  const parent = attribute === undefined && own.length > 1 ? await load(own.slice(0, -1)) : undefined;
  if (last !== undefined && parent !== undefined && fits(parent[last])) return parent[last];
  throw new Error(`There is no module for "${reference}" in ${place.folder}.`);
}

/** Returns a route group: short names are `<name>.routes.<x>`, else `<name>.<x>`. */
export async function resolveRoutes(
  reference: string,
  place: ExtensionPlace,
  isGroup: (value: unknown) => boolean,
): Promise<unknown> {
  if (/[.:#/]/.test(reference)) return resolveReference(reference, place, ['routes', 'api'], isGroup);
  const [name = ''] = place.names;
  const below = await loadModule(place.folder, ['routes', reference]);
  const parent = below === undefined ? await loadModule(place.folder, ['routes']) : undefined;
  const isBelow = below !== undefined || (parent !== undefined && isGroup(parent[reference]));
  const full = isBelow ? `${name}.routes.${reference}` : `${name}.${reference}`;
  return resolveReference(full, place, ['routes', 'api'], isGroup);
}

async function importPackage(parts: readonly string[]): Promise<Module | undefined> {
  try {
    return (await import(parts.join('/'))) as Module;
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    throw error;
  }
}
