import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import type { FlatField } from '../../documents/field-types.ts';
import { escapeToken, VALUE_SEPARATOR } from './token-text.ts';

/**
 * A `mapping` field has two columns: its values, and for its keys entries `key␂value`. Keys are free, so that a column for each
 * would let callers make columns without end.
 */
export function mappingColumnPath(path: string): string {
  return `${path}.*`;
}

/** Beginning of the entries of one key. */
export function mappingEntryPrefix(key: string): string {
  return escapeToken(key) + VALUE_SEPARATOR;
}

/** The `mapping` field that a path lies below. */
export function mappingFieldAbove(definition: CollectionDefinition<unknown>, path: string): FlatField | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const field = definition.fieldByPath.get(path.slice(0, dot));
    if (field) return field.type === 'mapping' ? field : undefined;
  }
  return undefined;
}
