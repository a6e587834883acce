import { allOf, MATCH_ALL, type QueryNode } from '../datastore/port/query-tree.ts';
import { checkConditions, compileQuery } from '../datastore/query-language/compile-query.ts';
import { patternBudget } from '../datastore/regular-language/query-limits.ts';
import type { CollectionDefinition } from '../documents/schema/collection-definition.ts';
import { InvalidInput, isTriadError } from '../errors/errors.ts';
import { withoutSecretFields } from './field-selection.ts';
import type { SearchDeadline } from './search-shares.ts';

/** Query and filters as a request gives them. */
export interface RawSelection {
  readonly query?: string | undefined;
  readonly filters: readonly string[];
  readonly deadline: SearchDeadline;
}

export interface CompiledSelection extends SearchDeadline {
  readonly query: QueryNode;
  readonly filters: readonly QueryNode[];
}

/**
 * Compiles query and filters for one kind of document, without secrets, by the limits of one query.
 * @throws InvalidInput `invalid_query` with the position in the query, or `filters.0` for the first
 * filter; `query_too_complex`
 */
export function compileSelection(
  definition: CollectionDefinition<unknown>,
  input: RawSelection,
  now: Date = new Date(),
): CompiledSelection {
  const searchable = withoutSecretFields(definition);
  const budget = patternBudget();
  const compile = (text: string) => compileQuery(text, searchable, { now, budget });
  const query = input.query === undefined ? MATCH_ALL : compile(input.query);
  const filters = input.filters.flatMap((text, index) => (isBlank(text) ? [] : [inFilter(index, () => compile(text))]));
  checkConditions(allOf(query, ...filters), searchable);
  return { query, filters, ...input.deadline };
}

const isBlank = (text: string) => text.trim() === '';

/** Says of a refusal which filter it is about: a position in one would be read as one in the query. */
function inFilter(index: number, compile: () => QueryNode): QueryNode {
  try {
    return compile();
  } catch (cause) {
    if (!isTriadError(cause) || cause.kind !== 'invalid_input') throw cause;
    throw new InvalidInput(cause.code, cause.message, { at: `filters.${index}`, cause });
  }
}
