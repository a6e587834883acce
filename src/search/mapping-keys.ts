import { isObject } from '../documents/schema/plain-objects.ts';

/** Keys that are listed of a mapping. */
const MAX_KEYS = 200;

/** Returns the paths of the keys that documents have in the mapping at a path, sorted. */
export function mappingKeys(documents: readonly unknown[], mapping: string): readonly string[] {
  const paths = new Set(documents.flatMap((document) => keyPaths(document, mapping.split('.'), mapping)));
  return [...paths].sort().slice(0, MAX_KEYS);
}

function keyPaths(value: unknown, [name, ...rest]: readonly string[], path: string): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry) => keyPaths(entry, name === undefined ? [] : [name, ...rest], path));
  }
  if (!isObject(value)) return [];
  return name === undefined ? Object.keys(value).map((key) => `${path}.${key}`) : keyPaths(value[name], rest, path);
}
