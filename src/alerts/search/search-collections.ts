import { actionDocument } from '../../documents/kinds/action.ts';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { dossierDocument } from '../../documents/kinds/dossier.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { overviewDocument } from '../../documents/kinds/overview.ts';
import { templateDocument } from '../../documents/kinds/template.ts';
import { userDocument } from '../../documents/kinds/user.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { type CataloguedField, type FieldCatalogue, fieldCatalogue } from '../../documents/schema/field-catalogue.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { withoutSecretFields } from '../../search/field-selection.ts';
import { mappingKeys } from '../../search/mapping-keys.ts';

/** Lists the kinds of documents that can be searched. The others (avatars, migrations) are internal. */
export const SEARCHABLE_DOCUMENTS: readonly DocumentDefinition<unknown>[] = [
  actionDocument,
  analyticDocument,
  caseDocument,
  dossierDocument,
  eventDocument,
  hitDocument,
  overviewDocument,
  templateDocument,
  userDocument,
  viewDocument,
];

const byName = new Map(SEARCHABLE_DOCUMENTS.map((definition) => [definition.name, definition]));

/** @throws InvalidInput `unknown_index`, which says for which `purpose` the index was named */
export function searchableDocument(name: string, at = 'index', purpose = 'search in'): DocumentDefinition<unknown> {
  const definition = byName.get(name);
  if (!definition) throw new InvalidInput('unknown_index', `Not a valid index to ${purpose}: ${name}`, { at });
  return definition;
}

/** Returns the kinds of a list such as `hit,event`, each once. @throws InvalidInput `unknown_index` */
export function searchableDocuments(list: string): readonly DocumentDefinition<unknown>[] {
  const names = new Set(list.split(',').flatMap((name) => name.trim() || []));
  if (names.size === 0) names.add(list);
  return [...names].map((name) => searchableDocument(name, 'indexes'));
}

/** Returns the fields of a kind of document, without secrets. */
export function searchableFields(definition: DocumentDefinition<unknown>): FieldCatalogue {
  return fieldCatalogue(withoutSecretFields(definition));
}

/** Returns the mappings of a kind of document that can be searched. */
export function searchableMappings(definition: DocumentDefinition<unknown>): readonly string[] {
  const { fields } = withoutSecretFields(definition);
  return fields.filter(({ type, indexed }) => type === 'mapping' && indexed).map(({ path }) => path);
}

/** Returns a field for each key that documents have in mappings, by path, as the public system does. */
export function mappingKeyFields(documents: readonly unknown[], mappings: readonly string[]): FieldCatalogue {
  const listed = mappings.flatMap((path) => mappingKeys(documents, path));
  return Object.fromEntries(listed.map((path) => [path, MAPPING_KEY]));
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

/** Returns the fields of every kind that can be searched, by its name. */
export function allFieldCatalogues(): Record<string, FieldCatalogue> {
  return Object.fromEntries(SEARCHABLE_DOCUMENTS.map((definition) => [definition.name, searchableFields(definition)]));
}
