import type { FieldSpec, GroupRule } from './field-spec.ts';
import { ACCESS_FIELDS } from './field-types.ts';
import { flattenDeep } from './flatten.ts';
import { isEmptyObject, isObject } from './plain-objects.ts';
import { boundNesting, type ReadContext, type ValueReader } from './values/value-reading.ts';

/**
 * Assigns the flat, nested or mixed input to slots in the order of the definition.
 * This is the first of two steps of reading. The second, `document-reader.ts`, reads the slots in that order, so that
 * the first error does not depend on the order of the keys.
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

/** An object of a definition, ready to read. */
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

/** The input of one object, in the order of its fields. Missing: undefined. */
export class Slots {
  readonly values: unknown[];
  /** Keys that the object does not have. */
  unknown: Set<string> | undefined;

  constructor(size: number) {
    this.values = new Array(size).fill(undefined);
  }

  noteUnknown(key: string): void {
    this.unknown ??= new Set();
    this.unknown.add(key);
  }
}

/** The input of a mapping, or of a list of objects as columns, part by part. */
export class Entries {
  readonly values = new Map<string, unknown>();
}

const IGNORED: ReadonlySet<string> = new Set(['_id', '__index', ...ACCESS_FIELDS]);

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
    slots.noteUnknown(name);
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
    if (rest === undefined && isEmptyObject(value as object)) return;
    const inner = before instanceof Slots ? before : new Slots(field.group.fields.length);
    slots.values[index] = inner;
    if (rest === undefined) placeObject(field.group, inner, value as Record<string, unknown>, context, topLevel);
    else place(field.group, inner, rest, value, context, topLevel);
    return;
  }
  if (field.shape === 'value') {
    if (rest !== undefined) {
      slots.noteUnknown(key);
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

/** Notes every leaf of something that has no place, for the warnings. */
function noteStrays(group: GroupReader, key: string, value: unknown, context: ReadContext): void {
  if (context.unknownRefused) return;
  boundNesting(value, group.path);
  const path = group.dotted === '' ? key : `${group.dotted}.${key}`;
  if (isObject(value)) for (const [inner] of flattenDeep(value)) context.strays.push(`${path}.${inner}`);
  else context.strays.push(path);
}
