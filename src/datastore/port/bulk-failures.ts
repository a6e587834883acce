import { Conflict, InvalidInput, NotFound, TooLarge, type TriadError, Unavailable } from '../../errors/errors.ts';
import type { BulkItemResult } from './collection.ts';

/**
 * Throws what kept an item of a bulk from being written, as the method for a single document would; of
 * several the first.
 * @param ignored codes that are no failure to the caller, `document_missing` for deletions that may come twice
 * @throws Conflict, NotFound, TooLarge, InvalidInput or Unavailable, with the code and message of the item
 */
export function throwBulkFailure(results: readonly BulkItemResult[], ignored: readonly string[] = []): void {
  for (const result of results) {
    if (result.ok || result.code === 'not_applied' || ignored.includes(result.code)) continue;
    throw errorOf(result.code, result.message);
  }
}

function errorOf(code: string, message: string): TriadError {
  switch (code) {
    case 'version_conflict':
    case 'already_exists':
      return new Conflict(code, message);
    case 'document_missing':
      return new NotFound(code, message);
    case 'document_too_large':
      return new TooLarge(code, message);
    case 'invalid_update':
    case 'invalid_document':
      return new InvalidInput(code, message);
    default:
      return new Unavailable(code, message);
  }
}
