import type { FlatField } from './field-types.ts';

/** JSON as stored: nested, as the public systems keep it. */
export type StoredDocument = { [key: string]: unknown };

/** Sort clause of a collection's default order. */
export interface DefaultSort {
  readonly field: string;
  readonly order: 'asc' | 'desc';
}

/** The visibility of a document that belongs to a user. */
export interface Visibility {
  /** Values that show it to every user, by field. */
  readonly everyone: Readonly<Record<string, string>>;
  /** Fields that name further users who can see the document. */
  readonly users: readonly string[];
}

/**
 * The description of a kind of document for datastore adapters; `DocumentDefinition<T>` adds the rest.
 * `fields` includes `id`, the hidden access fields if the kind is classified, and never `__text__`, which every
 * collection has (search kind `text`).
 */
export interface CollectionDefinition<T = StoredDocument> {
  /** Logical name: `hit`, `analytic` ... Physical names are the adapter's matter. */
  readonly name: string;
  /** Path of the property that repeats the identifier, `howler.id`, `view_id`; undefined: none. */
  readonly idField: string | undefined;
  readonly fields: readonly FlatField[];
  readonly fieldByPath: ReadonlyMap<string, FlatField>;
  readonly defaultSort: readonly DefaultSort[];
  /** Path of the classification of the whole document; undefined: the kind is not classified. */
  readonly classificationField: string | undefined;
  /** Visibility of the document; undefined: visible to every user with its classification. */
  readonly visibleTo?: Visibility | undefined;
  /** Members of a document that no search may reach; undefined: none. */
  readonly secretFields?: readonly string[] | undefined;
  /** Grows without limit, and so has a lifecycle unless the settings exclude it. */
  readonly growsWithoutLimit?: boolean | undefined;
  /** Phantom: the TypeScript type of a document. */
  readonly Type?: T;
}

/** The field of a path; for one of the keys of a `mapping` field, that field. Undefined: there is none. */
export function definedField(
  definition: Pick<CollectionDefinition<unknown>, 'fieldByPath'>,
  path: string,
): FlatField | undefined {
  return definition.fieldByPath.get(path) ?? mappingFieldAbove(definition, path);
}

/** The `mapping` field that a path lies below. */
export function mappingFieldAbove(
  { fieldByPath }: Pick<CollectionDefinition<unknown>, 'fieldByPath'>,
  path: string,
): FlatField | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const field = fieldByPath.get(path.slice(0, dot));
    if (field) return field.type === 'mapping' ? field : undefined;
  }
  return undefined;
}
