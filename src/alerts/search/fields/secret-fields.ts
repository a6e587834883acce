import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { fitsPattern } from './field-selection.ts';

/** Returns whether a path or pattern of fields could name a secret of the collection. */
export function namesSecret(definition: CollectionDefinition<unknown>, path: string): boolean {
  const { secretFields } = definition;
  if (secretFields === undefined) return false;
  const [first = ''] = path.split('.', 1);
  return secretFields.some((secret) => fitsPattern(first, secret));
}

/** Returns the document without its secrets; the same object where the kind has none. */
export function withoutSecrets(definition: CollectionDefinition<unknown>, document: unknown): Readonly<StoredDocument> {
  const members = isObject(document) ? document : {};
  const { secretFields } = definition;
  if (secretFields === undefined) return members;
  return Object.fromEntries(Object.entries(members).filter(([key]) => !secretFields.includes(key)));
}

const searchable = new WeakMap<object, CollectionDefinition<unknown>>();

/** Returns the definition for the reading of queries, in which secrets do not exist, also for `*`. */
export function withoutSecretFields<D extends CollectionDefinition<unknown>>(definition: D): D {
  if (definition.secretFields === undefined) return definition;
  const known = searchable.get(definition);
  if (known) return known as D;
  const fields = definition.fields.filter((field) => !namesSecret(definition, field.path));
  const cut: D = { ...definition, fields, fieldByPath: new Map(fields.map((field) => [field.path, field])) };
  searchable.set(definition, cut);
  return cut;
}
