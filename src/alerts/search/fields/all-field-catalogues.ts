import type { DocumentDefinition } from '../../../documents/schema/document-definition.ts';
import { type FieldCatalogue, fieldCatalogue } from '../../../documents/schema/field-catalogue.ts';
import { SEARCHABLE_DOCUMENTS } from '../search-collections.ts';
import { withoutSecretFields } from './secret-fields.ts';

/** The fields of a kind of document, without secrets. */
export function searchableFields(definition: DocumentDefinition<unknown>): FieldCatalogue {
  return fieldCatalogue(withoutSecretFields(definition));
}

/** The same of every kind that can be searched, by its name. */
export function allFieldCatalogues(): Record<string, FieldCatalogue> {
  return Object.fromEntries(SEARCHABLE_DOCUMENTS.map((definition) => [definition.name, searchableFields(definition)]));
}
