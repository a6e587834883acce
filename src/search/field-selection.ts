import type { CollectionDefinition, StoredDocument } from '../documents/schema/collection-definition.ts';
import { isObject } from '../documents/schema/plain-objects.ts';
import { InvalidInput } from '../errors/errors.ts';

/** Names and patterns of one `fl` argument; an alert has about 900 fields. */
export const MAX_FIELD_NAMES = 1_000;
/** Patterns among the names. Each is compared with every field. */
export const MAX_FIELD_PATTERNS = 100;

/** Splits `howler.id, event.*`; empty: undefined, everything. @throws InvalidInput `too_many_fields` */
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

/** Returns whether `path` fits a pattern with `*`, in time proportional to both, hostile ones too. */
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
  const { listed, isNamed, mayHold } = namedPaths(names);
  const isKept = (path: string) =>
    isNamed(path) && (listed.has(path) || (definition.fieldByPath.has(path) && !path.startsWith('__')));
  const isWhole = (path: string, value: unknown) =>
    isKept(path) && !(isObject(value) && definition.fieldByPath.get(path)?.type !== 'mapping');
  return selectMembers(document, '', { isWhole, isEmpty: isKept, mayHold });
}

/** Selects for version 2 of the interface: a name or pattern keeps whole subtrees. */
export function selectSource(document: StoredDocument, names: readonly string[]): Record<string, unknown> {
  const { isNamed, mayHold } = namedPaths(names);
  return selectMembers(document, '', { isWhole: isNamed, isEmpty: () => false, mayHold });
}

/** The tests of a selection, by path. */
interface Selected {
  /** Returns true for a value that is kept whole. */
  isWhole(path: string, value: unknown): boolean;
  /** Returns true for an object that stays when none of its members does. */
  isEmpty(path: string): boolean;
  /** Returns false for an object in which nothing can be named: it is not looked into. */
  mayHold(path: string): boolean;
}

function selectMembers(value: object, path: string, selected: Selected): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const result = selectValue(member, path === '' ? key : `${path}.${key}`, selected);
    if (result !== undefined) kept[key] = result;
  }
  return kept;
}

/** Entries of a list have the path of the list. */
function selectValue(value: unknown, path: string, selected: Selected): unknown {
  if (selected.isWhole(path, value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const isEmptyKept = selected.isEmpty(path);
  if (!isEmptyKept && !selected.mayHold(path)) return undefined;
  if (Array.isArray(value)) {
    const kept = value.flatMap((entry) => (isObject(entry) ? (selectValue(entry, path, selected) ?? []) : []));
    return kept.length > 0 ? kept : undefined;
  }
  if (!isObject(value)) return undefined;
  const kept = selectMembers(value, path, selected);
  return isEmptyKept || Object.keys(kept).length > 0 ? kept : undefined;
}

interface NamedPaths {
  /** Names as they were listed, patterns included. */
  readonly listed: ReadonlySet<string>;
  readonly isNamed: (path: string) => boolean;
  /** Returns false for a path below which no name is. */
  readonly mayHold: (path: string) => boolean;
}
/** Caches decisions by list, so that each path of an answer is compared with the patterns once. */
const NAMED_PATHS = new WeakMap<readonly string[], NamedPaths>();

function namedPaths(names: readonly string[]): NamedPaths {
  const known = NAMED_PATHS.get(names);
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
  const parents = new Set(names.flatMap(parentsOf));
  const mayHold = (path: string) => patterns.length > 0 || parents.has(path);
  const made = { listed: new Set(names), isNamed, mayHold };
  NAMED_PATHS.set(names, made);
  return made;
}

/** Returns the paths of the objects above a field. */
function parentsOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('.'));
}

/** The access fields belong to the store, not to the document. */
function withoutHidden(document: StoredDocument): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key === '__index' || !key.startsWith('__')));
}

/** Returns whether a path or pattern of fields could name a secret of the collection. */
export function namesSecret(definition: CollectionDefinition<unknown>, path: string): boolean {
  const { secretFields } = definition;
  if (secretFields === undefined) return false;
  const [first = ''] = path.split('.', 1);
  return secretFields.some((secret) => fitsPattern(first, secret));
}

/** Returns the document without its secrets; the same object where the kind has none. */
export function withoutSecrets(definition: CollectionDefinition<unknown>, document: unknown): Readonly<StoredDocument> {
  const members = isObject(document) ? document : {};
  const { secretFields } = definition;
  if (secretFields === undefined) return members;
  return Object.fromEntries(Object.entries(members).filter(([key]) => !secretFields.includes(key)));
}

const searchable = new WeakMap<object, CollectionDefinition<unknown>>();

/** Returns the definition for the reading of queries, in which secrets do not exist, also for `*`. */
export function withoutSecretFields<D extends CollectionDefinition<unknown>>(definition: D): D {
  if (definition.secretFields === undefined) return definition;
  const known = searchable.get(definition);
  if (known) return known as D;
  const fields = definition.fields.filter((field) => !namesSecret(definition, field.path));
  const cut: D = { ...definition, fields, fieldByPath: new Map(fields.map((field) => [field.path, field])) };
  searchable.set(definition, cut);
  return cut;
}
