import { InvalidInput } from '../../errors/errors.ts';
import type { DocumentDefinition } from './document-definition.ts';
import type { FieldReader, GroupReader } from './document-reader.ts';
import { groupReader, placeObject, readGroup, readSlots, Slots } from './document-reader.ts';
import type { Field } from './field-builders.ts';
import type { ClassificationRules, GroupContent, ReadContext } from './field-spec.ts';
import { flatten } from './flatten.ts';
import { invalid, isObject, isReservedKey } from './plain-objects.ts';

export interface ReadOptions {
  /** Fields that the definition does not have: refused, left out, or left out with a warning each. */
  readonly unknown: 'refuse' | 'drop' | 'warn';
  /** Needed for kinds with a classification; the classification engine is one. */
  readonly classification?: ClassificationRules | undefined;
  /** Begin of the paths in error texts. Default: the definition's name. */
  readonly path?: string | undefined;
  /** Default: the present time. */
  readonly now?: Date | undefined;
  /** Text may hold the character NUL, because it can be a part of a file. Default false. */
  readonly keepNul?: boolean | undefined;
}

interface ReadResult<T> {
  readonly document: T;
  /** Fields that are not used or deprecated, in the order in which they were sent. */
  readonly warnings: string[];
}

/**
 * Reads what was sent as a document: flat (`a.b.c`), nested or mixed; numbers and dates as text;
 * defaults filled in; values normalised. The result is nested, has no nulls, shares nothing with the input, and reads
 * as itself.
 * @param stored the document that is changed; undefined for a new one
 * @throws InvalidInput `invalid_document`, `at` the field's path, with the public system's text; or what
 * `classification` throws
 */
export function readDocument<T>(
  definition: DocumentDefinition<T>,
  input: unknown,
  options: ReadOptions,
  stored?: unknown,
): ReadResult<T> {
  const path = options.path ?? definition.name;
  const root = readerOf(definition.root, path);
  if (!isObject(input)) {
    throw invalid(path, `'${definition.title}' object must be constructed with dict like`);
  }
  const context = newContext(options, stored, definition.takesSingleValues);
  const slots = new Slots(root.fields.length);
  placeObject(root, slots, input, context, true);
  const document = readSlots(root, slots, context);
  rejectStrays(definition.title, path, context);
  if (definition.carriesIndexName) document.__index = definition.name;
  const warnings: string[] = [];
  if (options.unknown === 'warn') {
    for (const stray of new Set(context.strays)) warnings.push(`${stray} is not currently used by howler.`);
  }
  for (const deprecated of new Set(context.deprecated)) warnings.push(`${deprecated} is deprecated.`);
  return { document: document as T, warnings };
}

/**
 * Reads one object of a kind that documents hold many of, such as a rule of a case, as `readDocument`
 * does. Paths in errors begin with `options.path`.
 */
export function readObject<T>(
  field: Field<T, boolean>,
  input: unknown,
  options: ReadOptions & { readonly path: string },
): T {
  const { content } = field.spec;
  if (content.kind !== 'group') throw new Error(`${options.path} is not an object.`);
  const context = newContext(options);
  const object = readGroup(readerOf(content, options.path), input, context);
  rejectStrays(content.name, options.path, context);
  return object as T;
}

function rejectStrays(title: string, path: string, context: ReadContext): void {
  if (context.strays.length === 0 || !context.unknownRefused) return;
  const names = context.strays.join(', ');
  throw invalid(`${path}.${context.strays[0]}`, `${title} was created with invalid parameters: ${names}`);
}

/**
 * Returns the stored document with the fields of `partial` in it, read again by `readDocument`.
 * Lists are appended to the stored ones unless `replaceLists`; objects are merged field by field; unknown fields of
 * both are left out.
 */
export function mergeDocument<T>(
  definition: DocumentDefinition<T>,
  stored: Readonly<Record<string, unknown>> | T,
  partial: Readonly<Record<string, unknown>>,
  options: { readonly replaceLists: boolean } & Omit<ReadOptions, 'unknown'>,
): T {
  const merged = flatten(stored as Record<string, unknown>, definition);
  for (const [path, value] of Object.entries(flatten(partial, definition))) {
    const before = Object.hasOwn(merged, path) ? merged[path] : undefined;
    const joined = !options.replaceLists && Array.isArray(before) && Array.isArray(value);
    merged[path] = joined ? [...before, ...value] : value;
  }
  return readDocument(definition, merged, { ...options, unknown: 'drop' }, stored).document;
}

/**
 * Reads a new value of one field, as an update operation gives it.
 * Null and what stands for nothing become null.
 * @param path from the document's root, `howler.score`; below a mapping with the key, `labels.owner`
 * @param options.item the value is one item of the list (default false: the whole list)
 * @throws InvalidInput `unknown_field` where there is no such field, otherwise as `readDocument`
 */
export function readFieldValue<T>(
  definition: DocumentDefinition<T>,
  path: string,
  value: unknown,
  options: { readonly item?: boolean } & Omit<ReadOptions, 'unknown'> = {},
): unknown {
  const reader = readerAt(readerOf(definition.root, options.path ?? definition.name), path);
  if (reader === undefined) {
    throw new InvalidInput('unknown_field', `There is no field ${path} in ${definition.name}.`, { at: path });
  }
  if (value === undefined || (value === null && !options.item)) return null;
  const { field, isMember } = reader;
  const context = newContext({ ...options, unknown: 'refuse' }, undefined, definition.takesSingleValues);
  const read = (options.item && field.spec.list) || isMember ? field.item : field.read;
  const result = read(value, context);
  if (context.strays.length > 0) {
    const names = context.strays.join(', ');
    throw invalid(field.path, `[${field.path}]: object was created with invalid parameters: ${names}`);
  }
  return result ?? null;
}

function readerAt(root: GroupReader, path: string): { field: FieldReader; isMember: boolean } | undefined {
  let group: GroupReader | undefined = root;
  const names = path.split('.');
  for (const [depth, name] of names.entries()) {
    const index: number | undefined = group?.indexByName.get(name);
    const field: FieldReader | undefined = index === undefined ? undefined : group?.fields[index];
    if (field === undefined) return undefined;
    const left = names.length - depth - 1;
    if (left === 0) return { field, isMember: false };
    if (field.shape === 'mapping') {
      const isMember = left === 1 && !isReservedKey(names[depth + 1] ?? '');
      return isMember ? { field, isMember } : undefined;
    }
    group = field.group;
  }
  return undefined;
}

function newContext(options: ReadOptions, stored?: unknown, singleValuesTaken = false): ReadContext {
  return {
    stored,
    singleValuesTaken,
    nulKept: options.keepNul === true,
    now: options.now ?? new Date(),
    classification: options.classification,
    unknownRefused: options.unknown === 'refuse',
    strays: [],
    deprecated: [],
  };
}

const readers = new WeakMap<GroupContent, Map<string, GroupReader>>();

/** Made at first use and kept: making the reader of an alert takes milliseconds. */
function readerOf(content: GroupContent, path: string): GroupReader {
  const byPath = readers.get(content);
  const known = byPath?.get(path);
  if (known !== undefined) return known;
  const reader = groupReader(content, path, '');
  readers.set(content, (byPath ?? new Map<string, GroupReader>()).set(path, reader));
  return reader;
}
