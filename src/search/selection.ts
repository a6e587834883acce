import { allOf, MATCH_ALL, type QueryNode } from '../datastore/port/query-tree.ts';
import { checkConditions, compileQuery } from '../datastore/query-language/compile-query.ts';
import { patternBudget } from '../datastore/regular-language/query-limits.ts';
import type { CollectionDefinition } from '../documents/schema/collection-definition.ts';
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
 * @throws InvalidInput `invalid_query` with the position, `query_too_complex`
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
  const filters = input.filters.filter((text) => text.trim() !== '').map(compile);
  checkConditions(allOf(query, ...filters), searchable);
  return { query, filters, ...input.deadline };
}
