import type { DocumentDefinition } from '../../../documents/schema/document-definition.ts';
import type { FieldSpec, GroupContent } from '../../../documents/schema/field-spec.ts';
import { flatten } from '../../../documents/schema/flatten.ts';
import { BUNDLE_FIELDS } from '../bundles/hit-bundles.ts';

/** Field of the raw record → fields of the alert that get its value. */
export type FieldMap = ReadonlyMap<string, readonly string[]>;

/** Returns targets that are neither a field of the document nor an object with fields. */
export function unknownTargets(definition: DocumentDefinition<unknown>, map: FieldMap): readonly string[] {
  const targets = new Set([...map.values()].flat());
  return [...targets].filter((target) => !BUNDLE_FIELDS.includes(target) && targetAt(definition, target) === undefined);
}

export interface MappedRecord {
  /** Flat. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The record is the root of a bundle. */
  readonly isBundle: boolean;
}

/**
 * Puts the values of a raw record where the map wants them, over `base`.
 * A target that takes several values collects those of all of its sources; any other takes the first of a list, and of
 * several sources the last. Sources without a value are left out.
 */
export function mapRecord(
  definition: DocumentDefinition<unknown>,
  map: FieldMap,
  record: Readonly<Record<string, unknown>>,
  base: Readonly<Record<string, unknown>>,
): MappedRecord {
  const fields = new Map(Object.entries(base));
  const source = flatten(record);
  for (const [name, targets] of map) {
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (value === undefined || value === null) continue;
    for (const target of targets) {
      if (targetAt(definition, target)?.multiValued) {
        const present = fields.get(target);
        fields.set(target, [...(Array.isArray(present) ? present : []), ...(Array.isArray(value) ? value : [value])]);
      } else if (!Array.isArray(value)) fields.set(target, value);
      else if (value.length > 0) fields.set(target, value[0]);
    }
  }
  // The other fields of bundles have no meaning any more.
  const isBundle = Boolean(fields.get('howler.is_bundle'));
  for (const field of BUNDLE_FIELDS) fields.delete(field);
  return { fields: Object.fromEntries(fields), isBundle };
}

/** Finds a field or an object. Undefined: neither is at the path. */
function targetAt({ fieldByPath, root }: DocumentDefinition<unknown>, path: string) {
  const field = fieldByPath.get(path);
  if (field !== undefined) return { multiValued: field.multiValued };
  let group: GroupContent | undefined = root;
  let multiValued = false;
  for (const name of path.split('.')) {
    const spec: FieldSpec | undefined = group && Object.hasOwn(group.fields, name) ? group.fields[name] : undefined;
    if (spec === undefined) return undefined;
    multiValued ||= spec.list;
    group = spec.content.kind === 'group' ? spec.content : undefined;
  }
  return { multiValued };
}
