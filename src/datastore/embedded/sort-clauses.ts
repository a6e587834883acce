import { InvalidInput } from '../../errors/errors.ts';
import { mappingFieldAbove } from '../mapping-field.ts';
import type { SortClause } from '../search.ts';
import { columnKindOf } from './column-types.ts';
import type { Statement } from './sql-statement.ts';

/** Order of insertion, as search engines name it. */
const INSERTION = '_doc';
/** Every document of a filter is as good as any other. */
const SCORE = '_score';

export interface SqlSort {
  readonly expression: string;
  /** `ASC NULLS LAST` ... */
  readonly direction: string;
}

/**
 * Sort expressions in a statement, ending with the order of insertion.
 * @throws InvalidInput `unknown_sort_field`, for a field that the collection does not have or that has no order
 */
export function sortExpressions(statement: Statement, clauses: readonly SortClause[]): readonly SqlSort[] {
  const sorts = clauses.flatMap((clause) => sortExpression(statement, clause));
  return [...sorts, { expression: 'n', direction: 'ASC' }, { expression: 'k', direction: 'ASC' }];
}

/** @param tables how many the documents lie in; in one table the number of the index decides nothing */
export function orderBy(sorts: readonly SqlSort[], tables = Number.POSITIVE_INFINITY): string {
  // No document has a value there: the clause decides nothing, and SQL refuses to order by a constant.
  const deciding = sorts.filter(({ expression }) => expression !== 'NULL' && !(expression === 'n' && tables === 1));
  return deciding.map(({ expression, direction }) => `${expression} ${direction}`).join(', ');
}

function sortExpression(statement: Statement, clause: SortClause): readonly SqlSort[] {
  const { field: path, order, missing, mode } = clause;
  const ascending = order === 'asc';
  if (path === SCORE) return [];
  if (path === INSERTION) {
    const direction = ascending ? 'ASC' : 'DESC';
    return [
      { expression: 'n', direction },
      { expression: 'k', direction },
    ];
  }
  const flat = statement.definition.fieldByPath.get(path) ?? mappingFieldAbove(statement.definition, path);
  const kind = flat?.indexed === true ? columnKindOf(flat.searchKind) : undefined;
  const direction = `${ascending ? 'ASC' : 'DESC'} NULLS ${missing === 'first' ? 'FIRST' : 'LAST'}`;
  if (flat === undefined && clause.unmapped === 'missing') return [{ expression: 'NULL', direction }];
  if (kind === undefined || kind === 'text') {
    throw new InvalidInput('unknown_sort_field', `There is no field ${path} that can be sorted by.`, { at: path });
  }
  const field = statement.field(path);
  if (!field) return [{ expression: 'NULL', direction }];
  const expression = field.list ? `list_${mode ?? (ascending ? 'min' : 'max')}(${field.sql})` : field.sql;
  return [{ expression, direction }];
}
