import { escapeToken, VALUE_SEPARATOR } from '../queries/token-text.ts';

/**
 * A `mapping` field has two columns: its values, and for its keys entries `key␂value`. Keys are free, so that a column for each
 * would let callers make columns without end.
 */
export function mappingColumnPath(path: string): string {
  return `${path}.*`;
}

/** Beginning of the entries of one key. */
export function mappingEntryPrefix(key: string): string {
  return escapeToken(key) + VALUE_SEPARATOR;
}
