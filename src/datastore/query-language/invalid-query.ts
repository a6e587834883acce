import { InvalidInput } from '../../errors/errors.ts';

/** The one error of the query language. `at` is a position in the query text, in UTF-16 units from 0. */
export function invalidQuery(message: string, at: number): InvalidInput {
  return new InvalidInput('invalid_query', message, { at });
}
