import { FIELD_TYPES, type FieldTypeName, type FlatField } from './field-types.ts';

/** Defaults of a field: indexed, stored, at most one value. */
export const PLAIN_FIELD: Omit<FlatField, 'path' | 'type' | 'searchKind'> = {
  list: false,
  multiValued: false,
  indexed: true,
  stored: true,
  copyToText: false,
  optional: true,
  description: '',
  deprecated: false,
  deprecatedDescription: undefined,
  values: undefined,
  regex: undefined,
};

/** A plain field, but for `settings`. */
export function flatField(path: string, type: FieldTypeName, settings: Partial<FlatField> = {}): FlatField {
  return { ...PLAIN_FIELD, path, type, searchKind: FIELD_TYPES[type].searchKind, ...settings };
}
