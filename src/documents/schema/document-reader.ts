import type { FieldSpec, GroupContent } from './field-spec.ts';
import { flattenDeep } from './flatten.ts';
import { Entries, type FieldReader, type GroupReader, placeObject, Slots } from './input-slots.ts';
import { isEmptyObject, isObject, isReservedKey, setOwn } from './plain-objects.ts';
import { missingValue, valueReader } from './values/field-values.ts';
import { pythonTypeName } from './values/python-text.ts';
import { boundNesting, invalid, type ReadContext, type ValueReader } from './values/value-reading.ts';

/**
 * Makes the reader of an object and of everything in it, once for a definition.
 * @param path for error texts, `hit.howler`
 * @param dotted from the document's root, `howler`; empty: the root
 */
export function groupReader(content: GroupContent, path: string, dotted: string): GroupReader {
  const fields = Object.entries(content.fields).map(([name, spec]) =>
    fieldReader(name, spec, `${path}.${name}`, dotted === '' ? name : `${dotted}.${name}`),
  );
  const indexByName = new Map(fields.map((field, index) => [field.name, index]));
  const names = fields.map(({ name }) => name);
  const sorted = names.toSorted();
  const isSorted = names.every((name, index) => name === sorted[index]);
  const order = isSorted ? undefined : sorted.map((name) => indexByName.get(name) as number);
  return { name: content.name, path, dotted, fields, indexByName, order, rule: content.rule };
}

function fieldReader(name: string, spec: FieldSpec, path: string, dotted: string): FieldReader {
  const { content } = spec;
  if (content.kind === 'mapping') {
    const item = contentReader(content.item, path, `${dotted}.*`);
    return {
      name,
      path,
      dotted,
      spec,
      shape: 'mapping',
      group: undefined,
      item,
      read: mappingReader(spec, path, dotted, item),
    };
  }
  if (content.kind === 'group') {
    const group = groupReader(content, path, dotted);
    if (content.rule !== undefined && !spec.list) throw new Error(`${path}: rules are for objects in lists.`);
    const item: ValueReader = (value, context) => readGroup(group, value, context);
    const shape = spec.list ? 'group_list' : 'group';
    const read = spec.list ? listReader(spec, path, item, group) : optionalGroupReader(spec, group);
    return { name, path, dotted, spec, shape, group, item, read };
  }
  const item = contentReader(spec.list ? { ...spec, optional: false, default: undefined } : spec, path, dotted);
  const read = spec.list ? listReader(spec, path, item, undefined) : item;
  return { name, path, dotted, spec, shape: 'value', group: undefined, item, read };
}

/** Returns the reader of one value or object, for any kind of field. */
function contentReader(spec: FieldSpec, path: string, dotted: string): ValueReader {
  const { content } = spec;
  if (content.kind === 'group') {
    const group = groupReader(content, path, dotted);
    return (value, context) => readGroup(group, value, context);
  }
  if (content.kind === 'mapping') throw new Error(`${path}: mappings of mappings are not made.`);
  const { optional, emptyRefused } = spec;
  return valueReader(content, { path, dotted, optional, emptyRefused, default: spec.default });
}

/** An object as it was sent, or its slots. @throws InvalidInput `invalid_document` */
export function readGroup(group: GroupReader, value: unknown, context: ReadContext): Record<string, unknown> {
  if (value instanceof Slots) return readSlots(group, value, context);
  const slots = new Slots(group.fields.length);
  if (value !== null) {
    if (!isObject(value)) {
      throw invalid(group.path, `'${group.name}' object must be constructed with dict like`);
    }
    const input = group.rule === undefined ? value : group.rule(value, group.path);
    placeObject(group, slots, input, context, false);
  }
  return readSlots(group, slots, context);
}

/**
 * Reads the slots of an object in their order, so that the first error does not depend on the order of
 * the keys.
 * The keys of the result are sorted, which responses require.
 * @throws InvalidInput `invalid_document`; for unknown keys too, if the context rejects them
 */
export function readSlots(group: GroupReader, slots: Slots, context: ReadContext): Record<string, unknown> {
  if (slots.unknown !== undefined && context.unknownRefused) {
    throw invalid(
      group.path,
      `[${group.path}]: object was created with invalid parameters: ${[...slots.unknown].join(', ')}`,
    );
  }
  const result: Record<string, unknown> = {};
  const { fields, order } = group;
  // The slots are not needed any more once they were read.
  const { values } = slots;
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as FieldReader;
    const sent = values[index];
    let value: unknown;
    if (sent !== undefined) value = field.read(sent, context);
    else if (field.spec.default !== undefined) value = field.read(missingValue(field.spec.default), context);
    else if (field.spec.optional) continue;
    else throw invalid(field.path, `[${field.path}]: value is missing from the object!`);
    if (order !== undefined) values[index] = value;
    else if (value !== undefined) result[field.name] = value;
  }
  if (order === undefined) return result;
  for (const index of order) {
    const value = values[index];
    if (value !== undefined) result[(fields[index] as FieldReader).name] = value;
  }
  return result;
}

function optionalGroupReader(spec: FieldSpec, group: GroupReader): ValueReader {
  return (value, context) => {
    if (value === null && spec.optional) return undefined;
    const result = readGroup(group, value, context);
    return spec.optional && isEmptyObject(result) ? undefined : result;
  };
}

function listReader(spec: FieldSpec, path: string, item: ValueReader, group: GroupReader | undefined): ValueReader {
  return (value, context) => {
    if (value === null) return spec.optional ? undefined : [];
    let items = value;
    if (group !== undefined) {
      if (value instanceof Entries) items = fromColumns([...value.values], path);
      else if (isObject(value)) items = fromColumns(Object.entries(value), path);
    }
    if (!Array.isArray(items)) throw invalid(path, `[${path}] Expected a list, got ${pythonTypeName(items)}`);
    const result: unknown[] = [];
    for (const one of items) {
      const read = item(one, context);
      if (read !== undefined) result.push(read);
    }
    return result;
  };
}

/**
 * A list of objects that came as one object of columns: each key holds the values of all objects, or
 * the one of the only object.
 */
function fromColumns(entries: readonly (readonly [string, unknown])[], path: string): Record<string, unknown>[] {
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

const INDEXED_KEY = /^[a-z][a-z0-9_-]*$/;
const KEPT_KEY = /^[A-Za-z0-9_ -]*$/;

function mappingReader(spec: FieldSpec, path: string, dotted: string, item: ValueReader): ValueReader {
  const allowed = spec.indexed || spec.stored ? INDEXED_KEY : KEPT_KEY;
  return (value, context) => {
    if (value === null) return spec.optional ? undefined : {};
    let entries: Iterable<[string, unknown]>;
    if (value instanceof Entries) entries = value.values;
    else if (isObject(value)) entries = Object.entries(value);
    else throw invalid(path, `[${path}] Expected a mapping, got ${pythonTypeName(value)}`);
    const result: Record<string, unknown> = {};
    for (const [key, one] of entries) {
      // A key that the stored document has stays, so that no document becomes unchangeable by its keys.
      if ((!allowed.test(key) || isReservedKey(key)) && !hasKey(context.stored, dotted.split('.'), key)) {
        throw invalid(path, `[${path}]: Illegal key ${key}`);
      }
      const read = item(one, context);
      if (read !== undefined) setOwn(result, key, read);
    }
    return result;
  };
}

/** Returns whether an object at a path has the key, including objects in lists. */
function hasKey(value: unknown, [name, ...rest]: readonly string[], key: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasKey(one, name === undefined ? rest : [name, ...rest], key));
  if (!isObject(value)) return false;
  if (name === undefined) return Object.hasOwn(value, key);
  return Object.hasOwn(value, name) && hasKey(value[name], rest, key);
}
