import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { fitsPattern } from './field-pattern.ts';

/** Splits a `fl` argument, `"howler.id, event.*"`. Empty: undefined, everything. */
export function splitFieldList(text: string | readonly string[] | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = (typeof text === 'string' ? text.split(',') : text).map((name) => name.trim()).filter((name) => name);
  return names.length === 0 ? undefined : names;
}

/**
 * Version 1 selection: names are those of fields. A pattern stands for the fields that match it; the name of an object alone
 * keeps the object and none of its fields (as the public system answers); lists of objects keep the named fields of each entry.
 */
export function selectExactly(
  definition: CollectionDefinition<unknown>,
  document: StoredDocument,
  names: readonly string[],
): Record<string, unknown> {
  if (names.includes('*')) return withoutHidden(document);
  const paths = new Set<string>();
  for (const name of names) {
    if (!name.includes('*')) paths.add(name);
    else for (const path of matchingFields(definition, name)) paths.add(path);
  }
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

/** Version 2 selection: a name or pattern keeps what it matches with everything below it. */
export function selectSource(document: StoredDocument, names: readonly string[]): Record<string, unknown> {
  const keep = (value: unknown, path: string): unknown => {
    if (names.some((name) => fitsPattern(name, path))) return value;
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

function matchingFields(definition: CollectionDefinition<unknown>, name: string): string[] {
  return definition.fields
    .map((field) => field.path)
    .filter((path) => !path.startsWith('__') && fitsPattern(name, path));
}

/** The access fields belong to the store, not to the document. */
function withoutHidden(document: StoredDocument): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key === '__index' || !key.startsWith('__')));
}
