import type { DocumentDefinition } from '../../../documents/schema/document-definition.ts';
import {
  type CataloguedField,
  type FieldCatalogue,
  fieldCatalogue,
} from '../../../documents/schema/field-catalogue.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { SEARCHABLE_DOCUMENTS } from '../search-collections.ts';
import { withoutSecretFields } from './secret-fields.ts';

/** Returns the fields of a kind of document, without secrets. */
export function searchableFields(definition: DocumentDefinition<unknown>): FieldCatalogue {
  return fieldCatalogue(withoutSecretFields(definition));
}

/** Keys that are listed of the mappings of a kind. */
const MAX_KEYS = 200;

/** Returns the mappings of a kind of document that can be searched. */
export function searchableMappings(definition: DocumentDefinition<unknown>): readonly string[] {
  const { fields } = withoutSecretFields(definition);
  return fields.filter(({ type, indexed }) => type === 'mapping' && indexed).map(({ path }) => path);
}

/** Returns a field for each key that documents have in mappings, by path, as the public system does. */
export function mappingKeyFields(documents: readonly unknown[], mappings: readonly string[]): FieldCatalogue {
  const paths = new Set(
    mappings.flatMap((path) => documents.flatMap((document) => keyPaths(document, path.split('.'), path))),
  );
  return Object.fromEntries(
    [...paths]
      .sort()
      .slice(0, MAX_KEYS)
      .map((path) => [path, MAPPING_KEY]),
  );
}

const MAPPING_KEY: CataloguedField = {
  default: false,
  indexed: true,
  list: false,
  stored: false,
  deprecated: false,
  type: 'keyword',
  description: '',
  regex: null,
  values: null,
  deprecated_description: '',
};

function keyPaths(value: unknown, [name, ...rest]: readonly string[], path: string): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((entry) => keyPaths(entry, name === undefined ? [] : [name, ...rest], path));
  if (!isObject(value)) return [];
  return name === undefined ? Object.keys(value).map((key) => `${path}.${key}`) : keyPaths(value[name], rest, path);
}

/** Returns the fields of every kind that can be searched, by its name. */
export function allFieldCatalogues(): Record<string, FieldCatalogue> {
  return Object.fromEntries(SEARCHABLE_DOCUMENTS.map((definition) => [definition.name, searchableFields(definition)]));
}
