import { lazyItem } from '../../port/lazy-item.ts';
import { pickFields } from '../../port/picked-fields.ts';
import type { SearchItem } from '../../port/search.ts';
import { versionOf } from '../../port/versions.ts';
import { documentOf } from '../documents/document-source.ts';
import type { Dsl } from './engine-values.ts';
import type { Hit } from './search-call.ts';

/** A pattern that the servers read as we do: a path, or all below one. */
const PLAIN = /^[^*]+(?:\.\*)?$/;

/**
 * Returns the source filter and version options of a search.
 * `itemOf` removes properties that the server sends in excess.
 */
export function sourceBody(fields: readonly string[] | undefined): Dsl {
  const version = { seq_no_primary_term: true };
  if (fields === undefined || !fields.every((pattern) => PLAIN.test(pattern))) return version;
  return { ...version, _source: fields.length === 0 ? false : { includes: fields } };
}

/** A hit as callers get it. */
export function itemOf<T>(hit: Hit, collection: string, fields: readonly string[] | undefined): SearchItem<T> {
  const { _id: id, _index: index, _seq_no: seq, _primary_term: term } = hit;
  const version = seq === undefined || term === undefined ? undefined : versionOf({ index, seq, term });
  return lazyItem({ id, collection, version }, () => {
    const document = documentOf<Record<string, unknown>>(hit._source ?? {});
    return pickFields(document, fields) as T;
  });
}
