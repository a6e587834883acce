import type { DocumentDefinition } from './document-definition.ts';
import type { FieldSpec, GroupContent } from './field-spec.ts';
import { boundNesting, invalid, isObject, setOwn } from './plain-objects.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * A document as `{ 'a.b.c': value }`.
 * Lists stay whole, empty objects vanish. With a definition, objects that it has no fields for and the objects of
 * mappings stay whole as well. Keys that hold a dot are taken as paths.
 */
export function flatten(document: Json, definition?: DocumentDefinition<unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const visit = (object: Json, prefix: string, group: GroupContent | undefined) => {
    for (const [key, value] of Object.entries(object)) {
      const path = prefix === '' ? key : `${prefix}.${key}`;
      const inner = group === undefined ? undefined : groupAt(group, key);
      if (isObject(value) && (definition === undefined || inner !== undefined)) visit(value, path, inner);
      else setOwn(result, path, value);
    }
  };
  visit(document, '', definition?.root);
  return result;
}

function groupAt(group: GroupContent, key: string): GroupContent | undefined {
  let at: GroupContent | undefined = group;
  for (const name of key.split('.')) {
    const spec: FieldSpec | undefined =
      at !== undefined && Object.hasOwn(at.fields, name) ? at.fields[name] : undefined;
    at = spec?.content.kind === 'group' ? spec.content : undefined;
  }
  return at;
}

/** The nested form of `{ 'a.b.c': value }`. A later key wins where two do not fit together. */
export function unflatten(flat: Json): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(flat)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = result;
    for (const name of names) {
      const next = Object.hasOwn(at, name) ? at[name] : undefined;
      if (isObject(next)) at = next;
      else at = setOwn<Record<string, unknown>>(at, name, {});
    }
    setOwn(at, last, value);
  }
  return result;
}

/**
 * Every leaf with its path, objects in lists included: their values come one by one under the same
 * path. Empty objects have no leaf.
 */
export function* flattenDeep(document: Json, prefix = ''): Generator<readonly [string, unknown]> {
  for (const [key, value] of Object.entries(document)) {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    if (isObject(value)) yield* flattenDeep(value, path);
    else if (Array.isArray(value) && value.some(isObject)) {
      for (const item of value) {
        if (isObject(item)) yield* flattenDeep(item, path);
        else yield [path, item];
      }
    } else yield [path, value];
  }
}

/**
 * Returns the list of objects that one object of columns stands for: each key holds the values of all
 * objects, or the one of the only object.
 * @throws InvalidInput `invalid_document`, for columns of unequal length
 */
export function fromColumns(entries: readonly (readonly [string, unknown])[], path: string): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  let first: string | undefined;
  for (const [key, value] of flattenedColumns(entries, path)) {
    const column = Array.isArray(value) ? value : [value];
    if (first === undefined) {
      first = key;
      for (let index = 0; index < column.length; index += 1) rows.push(Object.create(null) as Record<string, unknown>);
    } else if (column.length !== rows.length) {
      throw invalid(
        path,
        'Flattened fields creating list of ODMs must have equal length. ' +
          `Key ${key} has length ${column.length} compared to key ${first} with length ${rows.length}.`,
      );
    }
    for (const [index, row] of rows.entries()) row[key] = column[index];
  }
  return rows;
}

function* flattenedColumns(
  entries: readonly (readonly [string, unknown])[],
  path: string,
): Generator<readonly [string, unknown]> {
  for (const [key, value] of entries) {
    if (!isObject(value)) yield [key, value];
    else {
      boundNesting(value, path);
      for (const [inner, leaf] of flattenDeep(value)) yield [`${key}.${inner}`, leaf];
    }
  }
}
