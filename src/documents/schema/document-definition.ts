import type { CollectionDefinition, DefaultSort, Visibility } from './collection-definition.ts';
import type { FieldRecord, ObjectOf } from './field-builders.ts';
import { group } from './field-builders.ts';
import type { FieldSpec, GroupContent } from './field-spec.ts';
import type { FieldTypeName, FlatField, SearchKind } from './field-types.ts';
import { ACCESS_FIELDS, FIELD_TYPES, flatField, ID_FIELD } from './field-types.ts';
import { regexOf } from './values/patterns.ts';

/**
 * A kind of document: what adapters need to know of it, and what reading, output and schemas are made
 * from.
 */
export interface DocumentDefinition<T> extends CollectionDefinition<T> {
  /** Name of the model in error texts and schemas, `Hit`. */
  readonly title: string;
  readonly description: string;
  readonly root: GroupContent;
  /** The fields people see: `fields` without `id` and the hidden access fields. */
  readonly ownFields: readonly FlatField[];
  /** The document carries the collection's name as `__index`. */
  readonly carriesIndexName: boolean;
  /** Member in which version 1 search answers repeat the identifier; undefined: none. */
  readonly idAlias: string | undefined;
  /** List whose entries have a classification of their own: each reader gets those that they may see. */
  readonly classifiedEntries: string | undefined;
  /** Searches offer what belongs to an alert: template, overview, analytic, dossiers. */
  readonly hasHitMetadata: boolean;
  /** Phantom: the TypeScript type of a document, `typeof hitDocument.Type`. */
  readonly Type: T;
}

export interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly idField?: string;
  readonly defaultSort: readonly DefaultSort[];
  readonly classificationField?: string;
  /** Default: every user sees every document. */
  readonly visibleTo?: Visibility;
  /** The document carries the collection's name as `__index`. Default false. */
  readonly carriesIndexName?: boolean;
  /** Default false. */
  readonly growsWithoutLimit?: boolean;
  readonly idAlias?: string;
  readonly classifiedEntries?: string;
  /** Default false. */
  readonly hasHitMetadata?: boolean;
}

/** The TypeScript type of a document with these fields. */
export type DocumentOf<F extends FieldRecord> = ObjectOf<F> & { __index?: string | undefined };

/**
 * Defines a kind of document once; everything else (types, validation, mapping, catalogue, schema) is
 * derived from it.
 */
export function defineDocument<const F extends FieldRecord>(
  name: string,
  fields: F,
  options: DocumentOptions,
): DocumentDefinition<DocumentOf<F>> {
  const root = group(options.title, options.description, fields).spec.content as GroupContent;
  const ownFields = flatFields(root);
  const all = [
    flatField(ID_FIELD, 'keyword', { description: 'Identifier of the document.' }),
    ...ownFields,
    ...(options.classificationField === undefined ? [] : ACCESS_FLAT_FIELDS),
  ];
  const secretFields = Object.keys(root.fields).filter((field) => root.fields[field]?.secret);
  const fieldByPath = new Map(all.map((field) => [field.path, field]));
  const { everyone = {}, users = [] } = options.visibleTo ?? {};
  for (const path of [options.idField, options.classificationField, ...Object.keys(everyone), ...users]) {
    if (path !== undefined && !fieldByPath.has(path)) throw new Error(`${name} has no field ${path}.`);
  }
  return {
    name,
    title: options.title,
    description: options.description,
    root,
    ownFields,
    fields: all,
    fieldByPath,
    idField: options.idField,
    defaultSort: options.defaultSort,
    classificationField: options.classificationField,
    visibleTo: options.visibleTo,
    secretFields: secretFields.length > 0 ? secretFields : undefined,
    carriesIndexName: options.carriesIndexName ?? false,
    growsWithoutLimit: options.growsWithoutLimit ?? false,
    idAlias: options.idAlias,
    classifiedEntries: options.classifiedEntries,
    hasHitMetadata: options.hasHitMetadata ?? false,
  } as Omit<DocumentDefinition<DocumentOf<F>>, 'Type'> as DocumentDefinition<DocumentOf<F>>;
}

/** The leaves of an object, in order, with dotted paths. A mapping is one leaf. */
function flatFields(root: GroupContent): FlatField[] {
  const found: FlatField[] = [];
  const visit = (content: GroupContent, prefix: string, insideList: boolean) => {
    for (const [key, spec] of Object.entries(content.fields)) {
      const path = prefix === '' ? key : `${prefix}.${key}`;
      const multiValued = insideList || spec.list;
      if (spec.content.kind === 'group') visit(spec.content, path, multiValued);
      else found.push(leaf(path, spec, multiValued));
    }
  };
  visit(root, '', false);
  return found;
}

function leaf(path: string, spec: FieldSpec, multiValued: boolean): FlatField {
  const content = spec.content;
  const type: FieldTypeName = content.kind === 'value' ? content.type : 'mapping';
  const searchKind: SearchKind = spec.indexed ? FIELD_TYPES[type].searchKind : 'none';
  return {
    path,
    type,
    searchKind,
    list: spec.list,
    multiValued,
    indexed: spec.indexed,
    stored: spec.stored,
    copyToText: spec.copyToText,
    optional: spec.optional,
    description: spec.description,
    deprecated: spec.deprecated,
    deprecatedDescription: spec.deprecatedDescription,
    values: content.kind === 'value' ? content.values : undefined,
    regex: content.kind === 'value' ? regexOf(content) : undefined,
  };
}

const [LEVEL, REQUIRED, FIRST_GROUPS, SECOND_GROUPS] = ACCESS_FIELDS;
const HIDDEN_LIST: Partial<FlatField> = { stored: false, list: true, multiValued: true };
const ACCESS_FLAT_FIELDS: readonly FlatField[] = [
  flatField(LEVEL, 'integer', { description: 'Level of the classification, as a number.', stored: false }),
  flatField(REQUIRED, 'keyword', { ...HIDDEN_LIST, description: 'Markings that a reader must all hold.' }),
  flatField(FIRST_GROUPS, 'keyword', { ...HIDDEN_LIST, description: 'Groups of which a reader must be in one.' }),
  flatField(SECOND_GROUPS, 'keyword', { ...HIDDEN_LIST, description: 'Subgroups of which a reader must be in one.' }),
];
