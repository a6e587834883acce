import type { CollectionDefinition } from '../../../../../src/documents/schema/collection-definition.ts';
import type { FieldTypeName, FlatField, SearchKind } from '../../../../../src/documents/schema/field-types.ts';

/** A field as the catalogue of an index describes it: `indexes` of `GET /api/v1/configs`. */
export interface CataloguedField {
  readonly type: string;
  readonly description?: string;
  readonly indexed?: boolean;
  readonly list?: boolean;
  readonly deprecated?: boolean;
  /** Allowed values of an enum. */
  readonly values?: readonly string[] | null;
}

export type FieldCatalogue = Readonly<Record<string, CataloguedField>>;

/** The fields that a query may ask for, of one index or several. */
export interface QueryFields {
  /** In the order of their names. */
  readonly all: readonly QueryField[];
  readonly byName: ReadonlyMap<string, QueryField>;
  /** The fields in the form that the parser of queries takes. */
  readonly definition: CollectionDefinition<unknown>;
}

export interface QueryField extends CataloguedField {
  readonly name: string;
}

const SEARCH_KINDS: Readonly<Record<string, SearchKind>> = {
  text: 'text',
  boolean: 'boolean',
  integer: 'integer',
  long: 'long',
  float: 'float',
  date: 'date',
  ip: 'ip',
};

/** Fields of every index that no catalogue lists. */
const COMMON_FIELDS: FieldCatalogue = {
  id: { type: 'keyword', description: '', indexed: true },
};

/**
 * Returns the fields of the given catalogues; of a name in several of them, the first description
 * counts.
 */
export function queryFields(...catalogues: readonly FieldCatalogue[]): QueryFields {
  const byName = new Map<string, QueryField>();
  for (const catalogue of [...catalogues, COMMON_FIELDS]) {
    for (const [name, field] of Object.entries(catalogue)) {
      if (!byName.has(name)) byName.set(name, { ...field, name });
    }
  }
  const all = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const fields = all.map(flatField);
  const fieldByPath = new Map(fields.map((field) => [field.path, field]));
  const definition: CollectionDefinition<unknown> = {
    name: 'query',
    idField: undefined,
    fields,
    fieldByPath,
    defaultSort: [],
    classificationField: undefined,
  };
  return { all, byName, definition };
}

/** Returns the field of a name; for a key of a field with free keys, that field. */
export function fieldOf({ byName }: Pick<QueryFields, 'byName'>, name: string): QueryField | undefined {
  const field = byName.get(name);
  if (field !== undefined) return field;
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const above = byName.get(name.slice(0, dot));
    if (above) return hasFreeKeys(above) ? above : undefined;
  }
  return undefined;
}

/**
 * Returns true for a field that may have any keys below it. The catalogue lists those as keywords, so
 * that every keyword without a list of values may be one.
 */
function hasFreeKeys({ type, values }: CataloguedField): boolean {
  return type === 'object' || (type === 'keyword' && !values?.length);
}

/**
 * Types of the catalogue stand for search kinds; a keyword that ignores case is searched by the same
 * clauses.
 */
function flatField(field: QueryField): FlatField {
  const type: FieldTypeName = field.type === 'object' ? 'mapping' : 'keyword';
  const indexed = field.indexed !== false && field.type !== 'object';
  return {
    path: field.name,
    type,
    searchKind: indexed ? (SEARCH_KINDS[field.type] ?? 'keyword') : 'none',
    indexed,
    list: field.list ?? false,
    multiValued: field.list ?? false,
    optional: true,
    description: field.description ?? '',
    stored: true,
    copyToText: false,
    searchedTokens: undefined,
    deprecated: field.deprecated ?? false,
    deprecatedDescription: undefined,
    values: field.values ?? undefined,
    regex: undefined,
  };
}
