import type { FieldSpec, GroupContent, GroupRule, ReadContext, ValueReader } from './field-spec.ts';
import { ACCESS_FIELDS } from './field-types.ts';
import { flattenDeep, fromColumns } from './flatten.ts';
import { boundNesting, invalid, isEmptyObject, isObject, isReservedKey, setOwn } from './plain-objects.ts';
import { missingValue, valueReader } from './values/field-values.ts';
import { pythonTypeName } from './values/python-text.ts';

/**
 * Reads flat, nested or mixed input in two steps.
 * The first assigns it to slots in the order of the definition; the second reads the slots in that order, so that the
 * first error does not depend on the order of the keys.
 */

/** A field of a definition, ready to read. */
export interface FieldReader {
  readonly name: string;
  /** For error texts: `hit.howler.score`. */
  readonly path: string;
  /** From the document's root: `howler.score`. */
  readonly dotted: string;
  readonly spec: FieldSpec;
  readonly shape: 'value' | 'mapping' | 'group' | 'group_list';
  /** Reader of the members, for groups and lists of groups. */
  readonly group: GroupReader | undefined;
  /** One item of a list, or the value of a mapping's key; of other fields the value itself. */
  readonly item: ValueReader;
  readonly read: ValueReader;
}

/** An object of a definition, ready to read. Paths are as those of a field. */
export interface GroupReader {
  readonly name: string;
  readonly path: string;
  readonly dotted: string;
  readonly fields: readonly FieldReader[];
  readonly indexByName: ReadonlyMap<string, number>;
  /** Positions of the fields by name; undefined: they are sorted. */
  readonly order: readonly number[] | undefined;
  readonly rule: GroupRule | undefined;
}

/** The input of an object by field, or undefined; a map of the parts for a mapping or columns. */
export class Slots {
  readonly values: unknown[];
  /** Keys that the object does not have. */
  unknown: Set<string> | undefined;

  constructor(size: number) {
    this.values = new Array(size).fill(undefined);
  }
}

/** Makes the reader of an object and all in it, once for a definition; `dotted` empty: the root. */
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
    const one = contentReader(content.item, path, `${dotted}.*`);
    const item = content.item.list ? listReader(content.item, path, one) : one;
    const read = mappingReader(spec, content.keys, path, dotted, item);
    return { name, path, dotted, spec, shape: 'mapping', group: undefined, item, read };
  }
  if (content.kind === 'group') {
    const group = groupReader(content, path, dotted);
    if (content.rule !== undefined && !spec.list) throw new Error(`${path}: rules are for objects in lists.`);
    const item: ValueReader = (value, context) => readGroup(group, value, context);
    const shape = spec.list ? 'group_list' : 'group';
    const read = spec.list ? listReader(spec, path, item) : optionalGroupReader(spec, group);
    return { name, path, dotted, spec, shape, group, item, read };
  }
  const item = contentReader(spec.list ? { ...spec, optional: false, default: undefined } : spec, path, dotted);
  const read = spec.list ? listReader(spec, path, item) : item;
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

/** Reads an object as it was sent, or its slots; throws InvalidInput `invalid_document`. */
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
 * Reads the slots of an object in their order. The keys of the result are sorted, as answers require.
 * @throws InvalidInput `invalid_document`; for unknown keys too, if the context rejects them
 */
export function readSlots(group: GroupReader, slots: Slots, context: ReadContext): Record<string, unknown> {
  if (slots.unknown !== undefined && context.unknownRefused) {
    const names = [...slots.unknown].join(', ');
    throw invalid(group.path, `[${group.path}]: object was created with invalid parameters: ${names}`);
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

function listReader(spec: FieldSpec, path: string, item: ValueReader): ValueReader {
  const isOfGroups = spec.content.kind === 'group';
  return (value, context) => {
    if (value === null) return spec.optional ? undefined : [];
    let items = value;
    if (isOfGroups) {
      if (value instanceof Map) items = fromColumns([...value], path);
      else if (isObject(value)) items = fromColumns(Object.entries(value), path);
    }
    if (!Array.isArray(items) && context.singleValuesTaken && !isOfGroups) items = [items];
    if (!Array.isArray(items)) throw invalid(path, `[${path}] Expected a list, got ${pythonTypeName(items)}`);
    const result: unknown[] = [];
    for (const one of items) {
      const read = item(one, context);
      if (read !== undefined) result.push(read);
    }
    return result;
  };
}

const INDEXED_KEY = /^[a-z][a-z0-9_-]*$/;
const KEPT_KEY = /^[A-Za-z0-9_ -]*$/;

function mappingReader(
  spec: FieldSpec,
  keys: RegExp | undefined,
  path: string,
  dotted: string,
  item: ValueReader,
): ValueReader {
  const allowed = keys ?? (spec.indexed || spec.stored ? INDEXED_KEY : KEPT_KEY);
  return (value, context) => {
    if (value === null) return spec.optional ? undefined : {};
    let entries: Iterable<[string, unknown]>;
    if (value instanceof Map) entries = value;
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

const IGNORED: ReadonlySet<string> = new Set(['_id', '__index', ...ACCESS_FIELDS]);

/** Puts the members of an object into its slots. `topLevel`: deprecated fields are noted. */
export function placeObject(
  group: GroupReader,
  slots: Slots,
  input: Readonly<Record<string, unknown>>,
  context: ReadContext,
  topLevel: boolean,
): void {
  for (const key of Object.keys(input)) place(group, slots, key, input[key], context, topLevel);
}

function place(
  group: GroupReader,
  slots: Slots,
  key: string,
  value: unknown,
  context: ReadContext,
  topLevel: boolean,
): void {
  if (value === undefined) return;
  const dot = key.indexOf('.');
  const name = dot === -1 ? key : key.slice(0, dot);
  const index = group.indexByName.get(name);
  if (index === undefined) {
    if (IGNORED.has(key)) return;
    noteUnknown(group, slots, name, key, value, context);
    return;
  }
  const field = group.fields[index] as FieldReader;
  const rest = dot === -1 ? undefined : key.slice(dot + 1);
  if (field.spec.deprecated && topLevel && rest === undefined) context.deprecated.push(field.dotted);
  const before = slots.values[index];
  if (field.shape === 'group' && field.group !== undefined) {
    if (rest === undefined && !isObject(value)) {
      slots.values[index] = value;
      return;
    }
    if (rest === undefined && isEmptyObject(value as object)) return;
    const inner = before instanceof Slots ? before : new Slots(field.group.fields.length);
    slots.values[index] = inner;
    if (rest === undefined) placeObject(field.group, inner, value as Record<string, unknown>, context, topLevel);
    else place(field.group, inner, rest, value, context, topLevel);
    return;
  }
  if (field.shape === 'value') {
    if (rest === undefined) slots.values[index] = value;
    else noteUnknown(group, slots, key, key, value, context);
    return;
  }
  const parts = rest === undefined ? (isObject(value) ? Object.entries(value) : undefined) : [[rest, value] as const];
  if (parts === undefined) {
    slots.values[index] = value;
    return;
  }
  const entries = before instanceof Map ? before : new Map<string, unknown>();
  for (const [part, one] of parts) entries.set(part, one);
  slots.values[index] = entries;
}

/** Notes the unknown name, and every leaf of the value for the warnings. */
function noteUnknown(
  group: GroupReader,
  slots: Slots,
  name: string,
  key: string,
  value: unknown,
  context: ReadContext,
): void {
  slots.unknown ??= new Set();
  slots.unknown.add(name);
  if (context.unknownRefused) return;
  boundNesting(value, group.path);
  const path = group.dotted === '' ? key : `${group.dotted}.${key}`;
  if (isObject(value)) for (const [inner] of flattenDeep(value)) context.strays.push(`${path}.${inner}`);
  else context.strays.push(path);
}
