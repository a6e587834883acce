import { MATCH_ALL, type QueryNode } from '../../datastore/port/query-tree.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { withoutSecretFields } from './fields/secret-fields.ts';
import type { SelectionInput } from './search-input.ts';

export interface CompiledSelection {
  readonly query: QueryNode;
  readonly filters: readonly QueryNode[];
}

/**
 * The query and filters of a request against one kind of document. Secret fields do not exist here.
 * @throws InvalidInput `invalid_query` with the position
 */
export function compileSelection(
  definition: CollectionDefinition<unknown>,
  input: SelectionInput,
  now: Date = new Date(),
): CompiledSelection {
  const searchable = withoutSecretFields(definition);
  const compile = (text: string) => compileQuery(text, searchable, { now });
  return {
    query: input.query === undefined ? MATCH_ALL : compile(input.query),
    filters: input.filters.filter((text) => text.trim() !== '').map(compile),
  };
}
