import { pickFields } from '../picked-fields.ts';
import type { SearchItem } from '../search.ts';
import { documentOf } from './document-source.ts';
import type { Dsl } from './engine-values.ts';
import type { Hit } from './search-call.ts';

/** A pattern that the servers read as we do: a path, or all below one. */
const PLAIN = /^[^*]+(?:\.\*)?$/;

/** What of each document is sent: the server leaves out what nobody asked for, `itemOf` what it sent too much. */
export function sourceBody(fields: readonly string[] | undefined): Dsl {
  if (fields === undefined || !fields.every((pattern) => PLAIN.test(pattern))) return {};
  return { _source: fields.length === 0 ? false : { includes: fields } };
}

/** A hit as callers get it. */
export function itemOf<T>(hit: Hit, collection: string, fields: readonly string[] | undefined): SearchItem<T> {
  const document = documentOf<Record<string, unknown>>(hit._source ?? {});
  return { id: hit._id, collection, document: pickFields(document, fields) as T };
}
