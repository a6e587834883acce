import { compileQuery } from '../datastore/query-language/compile-query.ts';
import { hitDocument } from '../documents/kinds/hit.ts';
import { InvalidInput, isTriadError } from '../errors/errors.ts';

/**
 * Refuses the query of a view, dossier or action that would not run: they all run over hits first of all. What is not a string is
 * left to the reading of the document.
 * @throws InvalidInput `invalid_query` with `message` and the position
 */
export function rejectBrokenQuery(query: unknown, message: string): void {
  if (typeof query !== 'string') return;
  try {
    compileQuery(query, hitDocument);
  } catch (error) {
    if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
    throw new InvalidInput('invalid_query', message, { cause: error, at: error.at });
  }
}
