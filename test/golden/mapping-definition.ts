import type { CollectionDefinition } from '../../src/documents/schema/collection-definition.ts';
import { type FieldTypeName, type FlatField, flatField, TEXT_FIELD } from '../../src/documents/schema/field-types.ts';

/** A field or object in the body that creates an index. */
export interface MappingProperty {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, MappingProperty>>;
  readonly normalizer?: string;
  readonly analyzer?: string;
  readonly copy_to?: string | readonly string[];
  readonly index?: boolean;
}

/** The part of the body that names fields. */
export interface IndexBody {
  readonly mappings: { readonly properties: Readonly<Record<string, MappingProperty>> };
}

/**
 * The definition of a collection with the fields of an index body, every one taken for a list, because
 * a mapping does not say.
 * @throws Error for a field type that no field type of ours stands for
 */
export function definitionOfMapping(name: string, { mappings }: IndexBody): CollectionDefinition {
  const fields = [...flatFields(mappings.properties, '')].filter((field) => field.path !== TEXT_FIELD);
  return {
    name,
    idField: undefined,
    fields,
    fieldByPath: new Map(fields.map((field) => [field.path, field])),
    defaultSort: [{ field: 'id', order: 'asc' }],
    classificationField: undefined,
  };
}

function* flatFields(properties: IndexBody['mappings']['properties'], prefix: string): Generator<FlatField> {
  for (const [name, property] of Object.entries(properties)) {
    const path = prefix + name;
    if (property.properties) yield* flatFields(property.properties, `${path}.`);
    else yield mappedField(path, property);
  }
}

function mappedField(path: string, property: MappingProperty): FlatField {
  return flatField(path, fieldType(path, property), {
    list: path !== 'id',
    multiValued: path !== 'id',
    indexed: property.index !== false,
    copyToText: [property.copy_to].flat().includes(TEXT_FIELD),
  });
}

function fieldType(path: string, { type, normalizer, analyzer }: MappingProperty): FieldTypeName {
  if (type === 'keyword') return normalizer === undefined ? 'keyword' : 'case_insensitive_keyword';
  if (type === 'text') return analyzer === undefined ? 'text' : 'ssdeep';
  if (
    type === 'integer' ||
    type === 'long' ||
    type === 'float' ||
    type === 'boolean' ||
    type === 'date' ||
    type === 'ip'
  ) {
    return type;
  }
  throw new Error(`The field ${path} of the mapping has the type ${type}, which no field type stands for.`);
}
