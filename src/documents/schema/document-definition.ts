import type { CollectionDefinition } from './collection-definition.ts';
import type { FieldRecord, ObjectOf } from './field-builders.ts';
import { group } from './field-builders.ts';
import type { FieldSpec, GroupContent } from './field-spec.ts';
import type { FieldTypeName, FlatField } from './field-types.ts';
import { ACCESS_FIELDS, FIELD_TYPES, flatField, ID_FIELD } from './field-types.ts';
import { regexOf } from './values/patterns.ts';

/** The properties of a kind of document beside its fields. */
export interface DocumentOptions
  extends Pick<CollectionDefinition, 'name' | 'visibleTo' | 'growsWithoutLimit'>,
    Partial<Pick<CollectionDefinition, 'idField' | 'classificationField' | 'defaultSort'>> {
  /** Name of the model in error texts and schemas, `Hit`. */
  readonly title: string;
  readonly description: string;
  /** The document carries the collection's name as `__index`. Default false. */
  readonly carriesIndexName?: boolean;
  /** Member in which version 1 search answers repeat the identifier; undefined: none. */
  readonly idAlias?: string;
  /** List whose entries have a classification of their own: each reader gets those that they may see. */
  readonly classifiedEntries?: string;
  /** Path of the time after which the document is deleted; undefined: it is kept. */
  readonly expiryField?: string;
  /** Words without a field name find the identifier. Default false. */
  readonly identifierInText?: boolean;
  /** A single value stands for a list of it. Default false. */
  readonly takesSingleValues?: boolean;
  /**
   * Lists, by path, whose entries have a classification of their own.
   * Searches find a document only for callers who may see all of these entries, so that no search tells what is in one.
   */
  readonly classifiedParts?: readonly string[];
  /** Searches offer what belongs to an alert: template, overview, analytic, dossiers. Default false. */
  readonly hasHitMetadata?: boolean;
}

/** A kind of document: what adapters need, and what reading, output and schemas are made from. */
export interface DocumentDefinition<T>
  extends CollectionDefinition<T>,
    Omit<DocumentOptions, keyof CollectionDefinition> {
  readonly root: GroupContent;
  /** The fields people see: `fields` without `id` and the hidden access fields. */
  readonly ownFields: readonly FlatField[];
  /** Phantom: the TypeScript type of a document, `typeof hitDocument.Type`. */
  readonly Type: T;
}

/** The TypeScript type of a document with these fields. */
export type DocumentOf<F extends FieldRecord> = ObjectOf<F> & { __index?: string | undefined };

/** Defines a kind of document; types, validation, mapping, catalogue and schema are derived from it. */
export function defineDocument<const F extends FieldRecord>({
  name,
  fields,
  ...options
}: DocumentOptions & { readonly fields: F }): DocumentDefinition<DocumentOf<F>> {
  const root = group(options.title, options.description, fields).spec.content as GroupContent;
  const ownFields = flatFields(root);
  const all = [
    flatField(ID_FIELD, 'keyword', {
      description: 'Identifier of the document.',
      copyToText: options.identifierInText ?? false,
    }),
    ...ownFields,
    ...(options.classificationField === undefined ? [] : ACCESS_FLAT_FIELDS),
  ];
  const secretFields = Object.keys(root.fields).filter((field) => root.fields[field]?.secret);
  const fieldByPath = new Map(all.map((field) => [field.path, field]));
  const { everyone = {}, users = [] } = options.visibleTo ?? {};
  const { idField, classificationField, expiryField } = options;
  for (const path of [idField, classificationField, expiryField, ...Object.keys(everyone), ...users]) {
    if (path !== undefined && !fieldByPath.has(path)) throw new Error(`${name} has no field ${path}.`);
  }
  return {
    idField: undefined,
    classificationField: undefined,
    defaultSort: [{ field: ID_FIELD, order: 'asc' }],
    ...options,
    name,
    root,
    ownFields,
    fields: all,
    fieldByPath,
    secretFields: secretFields.length > 0 ? secretFields : undefined,
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
  const { content, emptyRefused: _empty, default: _default, secret: _secret, leftOut: _left, ...traits } = spec;
  const type: FieldTypeName = content.kind === 'value' ? content.type : 'mapping';
  return {
    ...traits,
    path,
    type,
    searchKind: spec.indexed ? FIELD_TYPES[type].searchKind : 'none',
    multiValued,
    ...(content.kind === 'mapping' && content.keys !== undefined ? { dottedKeys: true } : {}),
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
