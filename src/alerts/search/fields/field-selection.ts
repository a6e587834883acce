import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../../errors/errors.ts';

/** Names and patterns of one `fl` argument; an alert has about 900 fields. */
export const MAX_FIELD_NAMES = 1_000;
/** Patterns among the names. Each is compared with every field. */
export const MAX_FIELD_PATTERNS = 100;

/**
 * Splits a `fl` argument, `"howler.id, event.*"`. Empty: undefined, everything.
 * @throws InvalidInput `too_many_fields`
 */
export function splitFieldList(text: string | readonly string[] | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = (typeof text === 'string' ? text.split(',') : text).map((name) => name.trim()).filter((name) => name);
  const patterns = names.filter((name) => name.includes('*')).length;
  if (names.length > MAX_FIELD_NAMES || patterns > MAX_FIELD_PATTERNS) {
    const message = `The argument fl has ${names.length} names, ${patterns} of them with a star; at most ${MAX_FIELD_NAMES} and ${MAX_FIELD_PATTERNS} are allowed.`;
    throw new InvalidInput('too_many_fields', message, { at: 'fl' });
  }
  return names.length === 0 ? undefined : names;
}

/**
 * Returns whether `path` fits `pattern`, in which `*` stands for any run of characters.
 * Takes time in proportion to the two lengths, for hostile patterns too.
 */
export function fitsPattern(pattern: string, path: string): boolean {
  let inPattern = 0;
  let inPath = 0;
  let lastStar = -1;
  let afterStar = 0;
  while (inPath < path.length) {
    if (pattern[inPattern] === '*') {
      lastStar = inPattern++;
      afterStar = inPath;
    } else if (pattern[inPattern] === path[inPath]) {
      inPattern++;
      inPath++;
    } else if (lastStar >= 0) {
      inPattern = lastStar + 1;
      inPath = ++afterStar;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/**
 * Selects fields of a document for version 1 of the interface, in which names are those of fields.
 * A pattern stands for the fields that match it; the name of an object keeps the object without its fields, as in the
 * public system; lists of objects keep the named fields of each entry.
 */
export function selectExactly(
  definition: CollectionDefinition<unknown>,
  document: StoredDocument,
  names: readonly string[],
): Record<string, unknown> {
  if (names.includes('*')) return withoutHidden(document);
  const paths = pathsOf(definition, names);
  const keep = (value: unknown, path: string): unknown => {
    if (paths.has(path) && !(isObject(value) && definition.fieldByPath.get(path)?.type !== 'mapping')) return value;
    if (isObject(value)) {
      const kept = keepMembers(value, path, keep);
      return paths.has(path) || Object.keys(kept).length > 0 ? kept : undefined;
    }
    return keepEntries(value, path, keep);
  };
  return keepMembers(document, '', keep);
}

/** Selects for version 2 of the interface: a name or pattern keeps whole subtrees. */
export function selectSource(document: StoredDocument, names: readonly string[]): Record<string, unknown> {
  const isNamed = namedPaths(names);
  const keep = (value: unknown, path: string): unknown => {
    if (isNamed(path)) return value;
    if (isObject(value)) {
      const kept = keepMembers(value, path, keep);
      return Object.keys(kept).length > 0 ? kept : undefined;
    }
    return keepEntries(value, path, keep);
  };
  return keepMembers(document, '', keep);
}

type Keep = (value: unknown, path: string) => unknown;

function keepMembers(value: Readonly<Record<string, unknown>>, path: string, keep: Keep): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const result = keep(member, path === '' ? key : `${path}.${key}`);
    if (result !== undefined) kept[key] = result;
  }
  return kept;
}

/** Entries of a list have the path of the list. */
function keepEntries(value: unknown, path: string, keep: Keep): unknown {
  if (!Array.isArray(value)) return undefined;
  const kept = value
    .map((entry) => (isObject(entry) ? keep(entry, path) : undefined))
    .filter((entry) => entry !== undefined);
  return kept.length > 0 ? kept : undefined;
}

/** Every document of an answer is shown by the same list of names, which is looked up once. */
const PATHS = new WeakMap<readonly string[], Map<CollectionDefinition<unknown>, ReadonlySet<string>>>();

function pathsOf(definition: CollectionDefinition<unknown>, names: readonly string[]): ReadonlySet<string> {
  const byDefinition = PATHS.get(names) ?? new Map<CollectionDefinition<unknown>, ReadonlySet<string>>();
  PATHS.set(names, byDefinition);
  const known = byDefinition.get(definition);
  if (known) return known;
  const isNamed = namedPaths(names);
  const matching = definition.fields.filter(({ path }) => !path.startsWith('__') && isNamed(path));
  const paths = new Set([...names.filter((name) => !name.includes('*')), ...matching.map(({ path }) => path)]);
  byDefinition.set(definition, paths);
  return paths;
}

type PathTest = (path: string) => boolean;
const PATH_TESTS = new WeakMap<readonly string[], PathTest>();

function namedPaths(names: readonly string[]): PathTest {
  const known = PATH_TESTS.get(names);
  if (known) return known;
  const patterns = names.filter((name) => name.includes('*'));
  const decided = new Map(names.map((name) => [name, true]));
  const isNamed = (path: string): boolean => {
    const earlier = decided.get(path);
    if (earlier !== undefined) return earlier;
    const fits = patterns.some((pattern) => fitsPattern(pattern, path));
    decided.set(path, fits);
    return fits;
  };
  PATH_TESTS.set(names, isNamed);
  return isNamed;
}

/** The access fields belong to the store, not to the document. */
function withoutHidden(document: StoredDocument): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key === '__index' || !key.startsWith('__')));
}
