import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { FlatField } from '../../../documents/schema/field-types.ts';
import { PLAIN_FIELD } from '../../../documents/schema/field-types.ts';
import { prepared } from '../documents/document-database.ts';

/** What the columns need of a definition; the rest may change without making them anew. */
type StoredField = Pick<FlatField, 'path' | 'type' | 'searchKind' | 'multiValued' | 'indexed' | 'copyToText'>;
export interface StoredDefinition {
  readonly name: string;
  readonly idField: string | null;
  readonly fields: readonly StoredField[];
}

const FINGERPRINTS = new WeakMap<object, { readonly fingerprint: string; readonly body: string }>();

/** The stored form of a definition and its fingerprint. */
export function storedDefinition(definition: CollectionDefinition<unknown>): { fingerprint: string; body: string } {
  const known = FINGERPRINTS.get(definition);
  if (known) return known;
  const fields = definition.fields.map(({ path, type, searchKind, multiValued, indexed, copyToText }) => ({
    path,
    type,
    searchKind,
    multiValued,
    indexed,
    copyToText,
  }));
  const body = JSON.stringify({ name: definition.name, idField: definition.idField ?? null, fields });
  const result = { fingerprint: createHash('sha256').update(body).digest('base64url').slice(0, 22), body };
  FINGERPRINTS.set(definition, result);
  return result;
}

/** Whether the stored definition `next` says everything that `before` says, and perhaps more fields. */
function onlyAddsFields(before: string, next: string): boolean {
  const [old, young] = [JSON.parse(before) as StoredDefinition, JSON.parse(next) as StoredDefinition];
  const kept = new Set(young.fields.map((field) => JSON.stringify(field)));
  return old.idField === young.idField && old.fields.every((field) => kept.has(JSON.stringify(field)));
}

/** A definition good enough to index documents and to compile queries, from its stored form. */
function definitionFromStored(body: string): CollectionDefinition<unknown> {
  const stored = JSON.parse(body) as StoredDefinition;
  const fields = stored.fields.map((field): FlatField => ({ ...PLAIN_FIELD, ...field, list: field.multiValued }));
  return {
    name: stored.name,
    idField: stored.idField ?? undefined,
    fields,
    fieldByPath: new Map(fields.map((field) => [field.path, field])),
    defaultSort: [],
    classificationField: undefined,
  };
}

/** The definitions of a folder, by fingerprint. */
export class StoredDefinitions {
  readonly #database: DatabaseSync;
  readonly #known = new Map<string, CollectionDefinition<unknown>>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(fingerprint: string): CollectionDefinition<unknown> {
    const known = this.#known.get(fingerprint);
    if (known) return known;
    const body = this.#body(fingerprint);
    if (body === undefined) throw new Error(`the folder has no definition ${fingerprint}`);
    const definition = definitionFromStored(body);
    this.#known.set(fingerprint, definition);
    return definition;
  }

  /**
   * Whether columns made by the definition `before` are as good for `next`. New fields need no new columns: as in a search engine,
   * they find what is written from now on.
   */
  extends(before: string, next: string): boolean {
    const [old, young] = [this.#body(before), this.#body(next)];
    return old !== undefined && young !== undefined && onlyAddsFields(old, young);
  }

  #body(fingerprint: string): string | undefined {
    const row = prepared(this.#database, 'SELECT body FROM definitions WHERE fingerprint = ?').get(fingerprint);
    return row && String(row.body);
  }
}
