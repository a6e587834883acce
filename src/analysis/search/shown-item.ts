import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import type { GroupContent } from '../../documents/schema/field-spec.ts';
import { ID_FIELD } from '../../documents/schema/field-types.ts';
import { isEmptyObject, isObject } from '../../documents/schema/plain-objects.ts';
import { selectSource } from '../../search/field-selection.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a found document as an item of an answer (contract/analysis.md sections 5.2 and 5.4).
 * @param whole with null for what it lacks
 * @param fields those that were asked for; undefined: the stored ones and the identifier
 */
export function shownItem(
  definition: DocumentDefinition<unknown>,
  id: string,
  whole: Json,
  fields: readonly string[] | undefined,
): Json {
  if (fields === undefined) {
    // The engine of the public system returns everything of a kind that stores no field.
    const stored = definition.ownFields.some((field) => field.stored) ? storedGroup(definition.root, whole) : whole;
    return { ...stored, id };
  }
  const shown = fields.includes('*') ? whole : selectSource(whole, fields);
  return fields.includes(ID_FIELD) ? { ...shown, id } : shown;
}

/** Keeps stored fields. Objects and lists of objects without one vanish. */
function storedGroup(group: GroupContent, object: Json): Json {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    const spec = group.fields[name];
    if (spec === undefined) continue;
    const { content } = spec;
    if (content.kind !== 'group') {
      if (spec.stored) result[name] = value;
    } else if (Array.isArray(value)) {
      const items = value.map((item) => (isObject(item) ? storedGroup(content, item) : item));
      if (items.length > 0 && items.some((item) => !isObject(item) || !isEmptyObject(item))) result[name] = items;
    } else if (isObject(value)) {
      const inner = storedGroup(content, value);
      if (!isEmptyObject(inner)) result[name] = inner;
    }
  }
  return result;
}
