import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { FlatField } from '../../documents/schema/field-types.ts';

/** The `mapping` field that a path lies below. */
export function mappingFieldAbove(definition: CollectionDefinition<unknown>, path: string): FlatField | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const field = definition.fieldByPath.get(path.slice(0, dot));
    if (field) return field.type === 'mapping' ? field : undefined;
  }
  return undefined;
}
