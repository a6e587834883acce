import type { DocumentDefinition } from './document-definition.ts';
import type { GroupContent } from './field-spec.ts';
import { FIELD_TYPES, type FlatField, ID_FIELD } from './field-types.ts';

/** The description of a field for clients, which offer names and values in queries. */
export type CataloguedField = Readonly<ReturnType<typeof cataloguedField>>;

export type FieldCatalogue = Readonly<Record<string, CataloguedField>>;

const catalogues = new WeakMap<object, FieldCatalogue>();

/** Returns the visible fields by path, a mapping without its keys. Made once for a definition. */
export function fieldCatalogue(definition: DocumentDefinition<unknown>): FieldCatalogue {
  let catalogue = catalogues.get(definition);
  if (catalogue === undefined) {
    const shown = definition.fields.filter((field) => field.path !== ID_FIELD && !field.path.startsWith('_'));
    const lists = listPaths(definition.root);
    catalogue = Object.fromEntries(shown.map((field) => [field.path, cataloguedField(field, lists.has(field.path))]));
    catalogues.set(definition, catalogue);
  }
  return catalogue;
}

/** @param list a document may hold several values */
function cataloguedField(field: FlatField, list: boolean) {
  // An object that is neither searched nor listed by key stays an object.
  const type: string = field.type === 'mapping' && field.indexed ? 'keyword' : FIELD_TYPES[field.type].catalogueType;
  return {
    /** Found by words without a field name. */
    default: field.copyToText,
    indexed: field.indexed,
    list,
    stored: field.stored,
    deprecated: field.deprecated,
    type,
    description: field.description,
    regex: field.regex ?? null,
    values: field.values ?? null,
    deprecated_description: field.deprecatedDescription ?? null,
  };
}

/**
 * Paths of the fields that are a list or inside one, as the public system reports them: an optional
 * list does not count at the top of the document, and below it only with the required fields of its entries.
 */
function listPaths(root: GroupContent): ReadonlySet<string> {
  const paths = new Set<string>();
  const visit = (group: GroupContent, prefix: string, insideList: boolean, inOptionalList: boolean) => {
    for (const [name, spec] of Object.entries(group.fields)) {
      const isList = insideList || (spec.list && !spec.optional);
      const isOptionalList = spec.list && spec.optional && prefix !== '';
      const path = `${prefix}${name}`;
      if (spec.content.kind === 'group') visit(spec.content, `${path}.`, isList, isOptionalList);
      else if (isList || isOptionalList || (inOptionalList && !spec.optional)) paths.add(path);
    }
  };
  visit(root, '', false, false);
  return paths;
}
