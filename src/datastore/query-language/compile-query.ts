import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { TEXT_FIELD } from '../../documents/schema/field-types.ts';
import type { QueryNode } from '../port/query-tree.ts';
import { patternBudget, type StepBudget } from '../regular-language/query-limits.ts';
import type { DefaultField } from './field-lookup.ts';
import { parseSyntax } from './query-parser.ts';
import { resolveQuery } from './resolve-query.ts';
import type { GroupSyntax } from './syntax-tree.ts';

export interface CompileOptions {
  /**
   * Field that is searched for clauses without a field.
   * Default `__text__`.
   * With `*`, every field whose name does not begin with `_` is searched; values that do not match the type of a field,
   * even a named one, then match nothing instead of being an error.
   */
  readonly defaultField?: DefaultField;
  /** Value of `now` in dates. Default: the current time. */
  readonly now?: Date;
  /** Steps for compiling patterns, shared with other queries. Default: those of one query. */
  readonly budget?: StepBudget;
}

/**
 * Compiles the text of a query into a tree for datastore adapters.
 * The language is Elasticsearch's `query_string` with default operator OR: docs/query-language.md. A field that the
 * collection does not have matches nothing, blank text too.
 * @throws InvalidInput `invalid_query` with `at`, the position in the text (UTF-16 units from 0)
 */
export function compileQuery<T>(
  text: string,
  definition: CollectionDefinition<T>,
  { defaultField = TEXT_FIELD, now = new Date(), budget = patternBudget() }: CompileOptions = {},
): QueryNode {
  return resolveQuery(parseSyntax(text), definition, { defaultField, now, budget });
}

/**
 * Checks the syntax of a query and nothing that depends on fields.
 * @throws InvalidInput `invalid_query` with `at`, the position in the text
 */
export function parseQuery(text: string): GroupSyntax {
  return parseSyntax(text);
}
