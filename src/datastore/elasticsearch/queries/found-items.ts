import type { FieldPick } from '../../port/picked-fields.ts';
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
export function sourceBody({ patterns }: Pick<FieldPick, 'patterns'>): Dsl {
  const version = { seq_no_primary_term: true };
  if (!patterns?.every((pattern) => PLAIN.test(pattern))) return version;
  return { ...version, _source: patterns.length === 0 ? false : { includes: patterns } };
}

/** A hit as callers get it. */
export function itemOf<T>(hit: Hit, collection: string, { pick }: FieldPick): SearchItem<T> {
  const { _id: id, _index: index, _seq_no: seq, _primary_term: term } = hit;
  const version = seq === undefined || term === undefined ? undefined : versionOf({ index, seq, term });
  const document = pick(documentOf<Record<string, unknown>>(hit._source ?? {})) as T;
  return { id, collection, version, document };
}
