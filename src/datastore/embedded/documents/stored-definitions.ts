import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { FlatField } from '../../../documents/schema/field-types.ts';
import { PLAIN_FIELD } from '../../../documents/schema/field-types.ts';
import { prepared } from './document-database.ts';

/** The parts of a definition that the columns need; the rest may change without rebuilding them. */
export interface StoredDefinition {
  readonly fingerprint: string;
  readonly body: string;
}

const STORED_TRAITS = ['path', 'type', 'searchKind', 'multiValued', 'indexed', 'copyToText', 'searchedTokens'] as const;
type StoredField = Pick<FlatField, (typeof STORED_TRAITS)[number]>;
interface StoredBody {
  readonly name: string;
  readonly idField: string | null;
  readonly fields: readonly StoredField[];
}

const STORED = new WeakMap<object, StoredDefinition>();

export function storedDefinition(definition: CollectionDefinition<unknown>): StoredDefinition {
  const known = STORED.get(definition);
  if (known) return known;
  const { name, idField = null, fields } = definition;
  const body = JSON.stringify({ name, idField, fields }, ['name', 'idField', 'fields', ...STORED_TRAITS]);
  const result = { fingerprint: createHash('sha256').update(body).digest('base64url').slice(0, 22), body };
  STORED.set(definition, result);
  return result;
}

export class StoredDefinitions {
  readonly #database: DatabaseSync;
  readonly #known = new Map<string, CollectionDefinition<unknown>>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns a definition that suffices to index documents and to compile queries. */
  get(fingerprint: string): CollectionDefinition<unknown> {
    const known = this.#known.get(fingerprint);
    if (known) return known;
    const { name, idField, fields: stored } = this.#body(fingerprint);
    const fields = stored.map((field): FlatField => ({ ...PLAIN_FIELD, ...field, list: field.multiValued }));
    const definition: CollectionDefinition<unknown> = {
      name,
      idField: idField ?? undefined,
      fields,
      fieldByPath: new Map(fields.map((field) => [field.path, field])),
      defaultSort: [],
      classificationField: undefined,
    };
    this.#known.set(fingerprint, definition);
    return definition;
  }

  /** Returns whether `next` only adds fields, which find what is written from now on. */
  extends(before: string, next: string): boolean {
    const [old, young] = [this.#body(before), this.#body(next)];
    const kept = new Set(young.fields.map((field) => JSON.stringify(field)));
    return old.idField === young.idField && old.fields.every((field) => kept.has(JSON.stringify(field)));
  }

  #body(fingerprint: string): StoredBody {
    const row = prepared(this.#database, 'SELECT body FROM definitions WHERE fingerprint = ?').get(fingerprint);
    if (!row) throw new Error(`the folder has no definition ${fingerprint}`);
    return JSON.parse(String(row.body)) as StoredBody;
  }
}
