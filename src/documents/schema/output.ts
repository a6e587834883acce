import { type AccessParts, NO_GROUP } from '../../classification/classification.ts';
import type { DocumentDefinition } from './document-definition.ts';
import type { FieldSpec, GroupContent } from './field-spec.ts';
import { isObject, valueAt } from './plain-objects.ts';
import { readDate } from './values/date-values.ts';

export type { AccessParts };

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a stored document as routes answer it: fields of the definition alone, no nulls, no empty
 * optional objects, defaults where an older document lacks a field (never a made-up time or identifier). Shares values
 * with the document; does not check them.
 */
export function toOutput<T>(definition: DocumentDefinition<T>, document: T): T {
  const result = outputGroup(definition.root, document as Json);
  if (definition.carriesIndexName) result.__index = definition.name;
  return result as T;
}

function outputGroup(group: GroupContent, object: Json): Record<string, unknown> {
  const { fieldByName, defaulted } = outputPlan(group);
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const spec = fieldByName.get(name);
    if (spec === undefined) continue;
    const output = outputField(spec, object[name]);
    if (output !== undefined) result[name] = output;
  }
  for (const [name, spec] of defaulted) {
    if (!Object.hasOwn(object, name)) result[name] = emptyOutput(spec);
  }
  return result;
}

interface OutputPlan {
  readonly fieldByName: ReadonlyMap<string, FieldSpec>;
  /** Fields that show something when they are missing. */
  readonly defaulted: readonly (readonly [string, FieldSpec])[];
  readonly hasStored: boolean;
}

const outputPlans = new WeakMap<GroupContent, OutputPlan>();

function outputPlan(group: GroupContent): OutputPlan {
  let plan = outputPlans.get(group);
  if (plan === undefined) {
    const fields = Object.entries(group.fields);
    plan = {
      fieldByName: new Map(fields),
      defaulted: fields.filter(([, spec]) => emptyOutput(spec) !== undefined),
      hasStored: fields.some(([, { content, stored }]) =>
        content.kind === 'group' ? outputPlan(content).hasStored : stored,
      ),
    };
    outputPlans.set(group, plan);
  }
  return plan;
}

function outputField(spec: FieldSpec, value: unknown): unknown {
  const { content } = spec;
  if (value === undefined || value === null) return value === null && spec.optional ? undefined : emptyOutput(spec);
  if (content.kind === 'group') {
    if (spec.list && Array.isArray(value)) {
      return value.map((item) => (isObject(item) ? outputGroup(content, item) : item));
    }
    if (!isObject(value)) return value;
    const object = outputGroup(content, value);
    return spec.optional && Object.keys(object).length === 0 ? undefined : object;
  }
  if (content.kind === 'mapping' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== null && item !== undefined)
        .map(([key, item]) => [key, outputField(content.item, item)]),
    );
  }
  if (content.kind !== 'value') return value;
  if (content.type === 'date') return outputDate(value);
  // JSON writes large floats as integers.
  return content.type === 'float' && typeof value === 'bigint' ? Number(value) : value;
}

/** Returns a date in the format of this program, for any stored format. */
function outputDate(value: unknown): unknown {
  if (typeof value === 'string' && value.length === OUTPUT_DATE_LENGTH && value.endsWith('Z')) return value;
  try {
    return readDate(value, new Date());
  } catch {
    return value;
  }
}

const OUTPUT_DATE_LENGTH = '2026-01-01T00:00:00.000000Z'.length;

/** Returns the output of a field without a value. */
function emptyOutput(spec: FieldSpec): unknown {
  const { content, default: fallback } = spec;
  if (spec.leftOut) return undefined;
  const isTime = content.kind === 'value' && content.type === 'date';
  if (fallback === undefined || typeof fallback === 'symbol' || isTime) return undefined;
  return content.kind === 'group' && !spec.list ? outputGroup(content, fallback as Json) : copy(fallback);
}

/** Copies plain JSON. Much faster than `structuredClone` for small default values. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]));
}

/**
 * The part of a document that first-version search answers carry: fields that are stored.
 * Nulls and empty lists of values stay as they are; empty lists of objects, and objects without a stored field, vanish.
 */
export function storedFieldsOnly<T>(definition: DocumentDefinition<T>, document: T): Record<string, unknown> {
  return storedGroup(definition.root, document as Json);
}

function storedGroup(group: GroupContent, object: Json): Record<string, unknown> {
  const { fieldByName } = outputPlan(group);
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const spec = fieldByName.get(name);
    if (spec === undefined) continue;
    const value = object[name];
    const { content } = spec;
    if (content.kind !== 'group') {
      if (spec.stored) result[name] = value;
    } else if (!outputPlan(content).hasStored) continue;
    else if (Array.isArray(value)) {
      if (value.length > 0) result[name] = value.map((item) => (isObject(item) ? storedGroup(content, item) : item));
    } else result[name] = isObject(value) ? storedGroup(content, value) : value;
  }
  return result;
}

/** Sets the access fields before a save; a document of a kind without a classification stays as it is. */
export function stampAccess<T extends object>(
  definition: DocumentDefinition<T>,
  document: T,
  partsOf: (classification: string) => AccessParts,
): T {
  const path = definition.classificationField;
  if (path === undefined) return document;
  const classification = (document as Json)[path];
  if (typeof classification !== 'string') throw new Error(`A ${definition.name} without ${path} cannot be stored.`);
  const parts = definition.classifiedParts?.flatMap((list) => classificationsIn(document, list)) ?? [];
  return { ...document, ...[...new Set([classification, ...parts])].map(partsOf).reduce(joinedAccess) };
}

/** Returns the classifications of the entries of a list. */
function classificationsIn(document: unknown, path: string): readonly string[] {
  const entries = valueAt(document, path);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) =>
    isObject(entry) && typeof entry.classification === 'string' ? [entry.classification] : [],
  );
}

/** Returns the access of those who have both. */
function joinedAccess(left: AccessParts, right: AccessParts): AccessParts {
  return {
    __access_lvl__: Math.max(left.__access_lvl__, right.__access_lvl__),
    __access_req__: [...new Set([...left.__access_req__, ...right.__access_req__])],
    __access_grp1__: sharedGroups(left.__access_grp1__, right.__access_grp1__),
    __access_grp2__: sharedGroups(left.__access_grp2__, right.__access_grp2__),
  };
}

/** Stands in an index for groups that no caller is in together. */
const NO_COMMON_GROUP = '__NONE__';

function sharedGroups(left: readonly string[], right: readonly string[]): readonly string[] {
  if (left.includes(NO_GROUP)) return right;
  if (right.includes(NO_GROUP)) return left;
  const shared = left.filter((name) => right.includes(name));
  return shared.length > 0 ? shared : [NO_COMMON_GROUP];
}
