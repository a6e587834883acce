import type { ListDocument, ListEntry, ListReaderOptions } from '../list-entry.ts';
import type { LeftOut } from './left-out.ts';

/** A document that is read, and where the reader counts what it leaves out. */
export interface FormatContext extends ListReaderOptions {
  readonly document: ListDocument;
  readonly leftOut: LeftOut;
}

/**
 * Reads the entries of one document, in chunks of any size.
 * @throws ListProblem
 */
export type FormatReader = (context: FormatContext) => AsyncIterable<readonly ListEntry[]>;

/** Returns true for a list whose values are parts of values, or expressions, of no type. */
export function holdsExpressions({ match }: ListReaderOptions['list']): boolean {
  return match === 'substring' || match === 'regex';
}

export const UNKNOWN_VALUE = 'is not a value that can be looked up';
