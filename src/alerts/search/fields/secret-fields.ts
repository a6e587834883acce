import { SECRET_USER_FIELDS } from '../../../documents/kinds/user.ts';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { fitsPattern } from './field-selection.ts';

/** Members of documents that no query, filter, sort, facet or answer of a search may reach. */
const SECRET_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['user', [...SECRET_USER_FIELDS, 'apikeys', 'access_control', 'dn']],
]);

/** Returns whether a path or pattern of fields could name a secret of the collection. */
export function namesSecret(definition: CollectionDefinition<unknown>, path: string): boolean {
  const secrets = SECRET_FIELDS.get(definition.name) ?? [];
  if (secrets.length === 0) return false;
  const [first = ''] = path.split('.', 1);
  return secrets.some((secret) => fitsPattern(first, secret));
}

/** Returns the document without its secrets; the same object where the kind has none. */
export function withoutSecrets(definition: CollectionDefinition<unknown>, document: unknown): Readonly<StoredDocument> {
  const members = isObject(document) ? document : {};
  const secrets = SECRET_FIELDS.get(definition.name);
  if (secrets === undefined) return members;
  return Object.fromEntries(Object.entries(members).filter(([key]) => !secrets.includes(key)));
}

const searchable = new WeakMap<object, CollectionDefinition<unknown>>();

/** Returns the definition for the reading of queries, in which secrets do not exist, also for `*`. */
export function withoutSecretFields<D extends CollectionDefinition<unknown>>(definition: D): D {
  if (!SECRET_FIELDS.has(definition.name)) return definition;
  const known = searchable.get(definition);
  if (known) return known as D;
  const fields = definition.fields.filter((field) => !namesSecret(definition, field.path));
  const cut: D = { ...definition, fields, fieldByPath: new Map(fields.map((field) => [field.path, field])) };
  searchable.set(definition, cut);
  return cut;
}
