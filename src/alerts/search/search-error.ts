import { InvalidInput, isTriadError } from '../../errors/errors.ts';

/** Errors in how the request itself is made, which clients know by their plain text. */
const PLAIN_TEXTS = new Set([
  'query_missing',
  'unknown_field',
  'field_not_numeric',
  'histogram_field_unsupported',
  'invalid_body',
  'fields_missing',
]);

/**
 * Runs a search and words what is wrong with it as the clients of the version expect: version 1 `SearchException: why`, version 2
 * `SearchException on query <query>: why`. Code and position stay.
 * An index that does not exist keeps its plain text in version 1.
 */
export async function withSearchWording<T>(version: 1 | 2, query: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isTriadError(error) || error.kind !== 'invalid_input' || PLAIN_TEXTS.has(error.code)) throw error;
    if (version === 1 && error.code === 'unknown_index') throw error;
    const message = `SearchException${version === 1 ? '' : ` on query ${query}`}: ${error.message}`;
    throw new InvalidInput(error.code, message, { cause: error, at: error.at });
  }
}
