import type { DocumentDefinition } from './document-definition.ts';
import type { FieldSpec, GroupContent } from './field-spec.ts';
import { boundNesting, invalid, isObject, setOwn } from './plain-objects.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a document as `{ 'a.b.c': value }`. Lists stay whole, empty objects vanish, keys with a dot
 * are paths. With a definition, objects that it has no fields for and the objects of mappings stay whole as well.
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

/** Returns every leaf with its path, also of objects in lists. Empty objects have none. */
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

/** Returns the objects of columns with all values, or that of the only one; throws `invalid_document`. */
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
