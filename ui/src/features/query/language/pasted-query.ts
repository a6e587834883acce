import { MAX_QUERY_LENGTH } from '../../../../../src/datastore/query-language/query-parser.ts';

/** The treatment of a pasted string: it is inserted as it is, read as a query, or refused. */
export type PastedQuery =
  | { readonly kind: 'as_it_is' }
  | { readonly kind: 'query'; readonly query: string }
  | { readonly kind: 'too_long'; readonly length: number; readonly max: number };

/**
 * Reads a pasted string. One that no query can hold never gets into the editor, which would freeze the
 * page.
 */
export function pastedQuery(pasted: string, text: string): PastedQuery {
  const length = pasted.length;
  if (length + text.length > MAX_QUERY_LENGTH) return { kind: 'too_long', length, max: MAX_QUERY_LENGTH };
  return { kind: 'as_it_is' };
}
