import type { FieldSpec, GroupContent, GroupRule } from './field-spec.ts';
import { ACCESS_FIELDS } from './field-types.ts';
import {
  DEEPEST_NESTING,
  invalid,
  missingValue,
  type ReadContext,
  type ValueReader,
  valueReader,
} from './field-values.ts';
import { flattenDeep } from './flatten.ts';
import { nestingExceeds, pythonTypeName } from './python-text.ts';

/**
 * Readers made once for a definition. Reading has two steps: `place` puts what was sent, flat, nested or mixed, into slots in the
 * definition's order; `read` goes over the slots in that order, so that the same error is found first whatever the order of the keys.
 */
export interface FieldReader {
  readonly name: string;
  /** For error texts: `hit.howler.score`. */
  readonly path: string;
  /** From the document's root: `howler.score`. */
  readonly dotted: string;
  readonly spec: FieldSpec;
  readonly shape: 'value' | 'mapping' | 'group' | 'group_list';
  /** Of groups and lists of groups. */
  readonly group: GroupReader | undefined;
  /** One item of a list, or the value of a mapping's key; of other fields the value itself. */
  readonly item: ValueReader;
  readonly read: ValueReader;
}

export interface GroupReader {
  readonly name: string;
  readonly path: string;
  readonly dotted: string;
  readonly fields: readonly FieldReader[];
  readonly indexByName: ReadonlyMap<string, number>;
  readonly rule: GroupRule | undefined;
}

/** What was sent for one object, in the order of its fields. Missing: undefined. */
export class Slots {
  readonly values: unknown[];
  /** Keys that the object does not have. */
  unknown: string[] | undefined;

  constructor(size: number) {
    this.values = new Array(size).fill(undefined);
  }
}

/** What was sent for a mapping, or for a list of objects as columns, part by part. */
class Entries {
  readonly values = new Map<string, unknown>();
}

const IGNORED: ReadonlySet<string> = new Set(['_id', '__index', ...ACCESS_FIELDS]);

export function groupReader(content: GroupContent, path: string, dotted: string): GroupReader {
  const fields = Object.entries(content.fields).map(([name, spec]) =>
    fieldReader(name, spec, `${path}.${name}`, dotted === '' ? name : `${dotted}.${name}`),
  );
  const indexByName = new Map(fields.map((field, index) => [field.name, index]));
  return { name: content.name, path, dotted, fields, indexByName, rule: content.rule };
}

function fieldReader(name: string, spec: FieldSpec, path: string, dotted: string): FieldReader {
  const { content } = spec;
  if (content.kind === 'mapping') {
    const item = contentReader(content.item, path, dotted);
    return {
      name,
      path,
      dotted,
      spec,
      shape: 'mapping',
      group: undefined,
      item,
      read: mappingReader(spec, path, item),
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

/** Reader of one value or object, whatever its field is. */
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

/** @param context.unknown decides what happens with keys that the object does not have */
export function readSlots(group: GroupReader, slots: Slots, context: ReadContext): Record<string, unknown> {
  if (slots.unknown !== undefined && context.unknownRefused) {
    throw invalid(
      group.path,
      `[${group.path}]: object was created with invalid parameters: ${slots.unknown.join(', ')}`,
    );
  }
  const result: Record<string, unknown> = {};
  const { fields } = group;
  const { values } = slots;
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as FieldReader;
    const sent = values[index];
    let value: unknown;
    if (sent !== undefined) value = field.read(sent, context);
    else if (field.spec.default !== undefined) value = field.read(missingValue(field.spec.default), context);
    else if (field.spec.optional) continue;
    else throw invalid(field.path, `[${field.path}]: value is missing from the object!`);
    if (value !== undefined) result[field.name] = value;
  }
  return result;
}

function optionalGroupReader(spec: FieldSpec, group: GroupReader): ValueReader {
  return (value, context) => {
    if (value === null && spec.optional) return undefined;
    const result = readGroup(group, value, context);
    return spec.optional && isEmpty(result) ? undefined : result;
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

/** A list of objects that came as one object of columns: each key holds the values of all objects, or the one of the only object. */
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
/** Names that mean something on every object. */
const DANGEROUS_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function mappingReader(spec: FieldSpec, path: string, item: ValueReader): ValueReader {
  const allowed = spec.indexed || spec.stored ? INDEXED_KEY : KEPT_KEY;
  return (value, context) => {
    if (value === null) return spec.optional ? undefined : {};
    let entries: Iterable<[string, unknown]>;
    if (value instanceof Entries) entries = value.values;
    else if (isObject(value)) entries = Object.entries(value);
    else throw invalid(path, `[${path}] Expected a mapping, got ${pythonTypeName(value)}`);
    const result: Record<string, unknown> = {};
    for (const [key, one] of entries) {
      if (!allowed.test(key) || DANGEROUS_KEYS.has(key)) throw invalid(path, `[${path}]: Illegal key ${key}`);
      const read = item(one, context);
      if (read !== undefined) result[key] = read;
    }
    return result;
  };
}

/**
 * Puts the members of an object into the slots of its group.
 * @param topLevel outside of lists, where deprecated fields are noted
 */
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
    slots.unknown = addMissing(slots.unknown, name);
    noteStrays(group, key, value, context);
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
    if (rest === undefined && isEmpty(value as object)) return;
    const inner = before instanceof Slots ? before : new Slots(field.group.fields.length);
    slots.values[index] = inner;
    if (rest === undefined) placeObject(field.group, inner, value as Record<string, unknown>, context, topLevel);
    else place(field.group, inner, rest, value, context, topLevel);
    return;
  }
  if (field.shape === 'value') {
    if (rest !== undefined) {
      slots.unknown = addMissing(slots.unknown, key);
      noteStrays(group, key, value, context);
    } else slots.values[index] = value;
    return;
  }
  const parts = rest === undefined ? (isObject(value) ? Object.entries(value) : undefined) : [[rest, value] as const];
  if (parts === undefined) {
    slots.values[index] = value;
    return;
  }
  const entries = before instanceof Entries ? before : new Entries();
  for (const [part, one] of parts) entries.values.set(part, one);
  slots.values[index] = entries;
}

function addMissing(list: string[] | undefined, name: string): string[] {
  if (list === undefined) return [name];
  if (!list.includes(name)) list.push(name);
  return list;
}

/** Notes every leaf of something that has no place, for the warnings. */
function noteStrays(group: GroupReader, key: string, value: unknown, context: ReadContext): void {
  if (context.unknownRefused) return;
  boundNesting(value, group.path);
  const path = group.dotted === '' ? key : `${group.dotted}.${key}`;
  if (isObject(value)) for (const [inner] of flattenDeep(value)) context.strays.push(`${path}.${inner}`);
  else context.strays.push(path);
}

function boundNesting(value: unknown, path: string): void {
  if (nestingExceeds(value, DEEPEST_NESTING)) {
    throw invalid(path, `[${path}]: Objects and lists lie more than ${DEEPEST_NESTING} deep inside each other.`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Slots);
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
