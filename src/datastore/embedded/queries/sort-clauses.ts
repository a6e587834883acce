import { InvalidInput } from '../../../errors/errors.ts';
import type { SortClause } from '../../port/search.ts';
import { mappingFieldAbove } from '../../semantics/mapping-field.ts';
import { columnKindOf } from '../columns/column-tables.ts';
import type { Statement } from './sql-statement.ts';

/** Order of insertion, as search engines name it. */
const INSERTION = '_doc';
/** Every document of a filter is as good as any other. */
const SCORE = '_score';

export interface SqlSort {
  readonly expression: string;
  /** `ASC NULLS LAST` ... */
  readonly direction: string;
  /** False: it is the same for every document. */
  readonly decides: boolean;
}

/**
 * Sort expressions in a statement, ending with the order of insertion.
 * @throws InvalidInput `unknown_sort_field`, for a field that the collection does not have or that has no order
 */
export function sortExpressions(statement: Statement, clauses: readonly SortClause[]): readonly SqlSort[] {
  const sorts = clauses.flatMap((clause) => sortExpression(statement, clause));
  return [...sorts, ...insertionOrder(statement, 'ASC')];
}

export function orderBy(sorts: readonly SqlSort[]): string {
  // SQL refuses to order by a constant, or takes it for the number of a column.
  const deciding = sorts.filter(({ decides }) => decides);
  return deciding.map(({ expression, direction }) => `${expression} ${direction}`).join(', ');
}

function insertionOrder(statement: Statement, direction: 'ASC' | 'DESC'): readonly SqlSort[] {
  return [
    { expression: statement.index, direction, decides: statement.tables.length > 1 },
    { expression: 'k', direction, decides: true },
  ];
}

function sortExpression(statement: Statement, clause: SortClause): readonly SqlSort[] {
  const { field: path, order, missing, mode } = clause;
  const ascending = order === 'asc';
  if (path === SCORE) return [];
  if (path === INSERTION) return insertionOrder(statement, ascending ? 'ASC' : 'DESC');
  const flat = statement.definition.fieldByPath.get(path) ?? mappingFieldAbove(statement.definition, path);
  const kind = flat?.indexed === true ? columnKindOf(flat.searchKind) : undefined;
  const direction = `${ascending ? 'ASC' : 'DESC'} NULLS ${missing === 'first' ? 'FIRST' : 'LAST'}`;
  if (flat === undefined && clause.unmapped === 'missing') return [noValue(direction)];
  if (kind === undefined || kind === 'text') {
    throw new InvalidInput('unknown_sort_field', `There is no field ${path} that can be sorted by.`, { at: path });
  }
  const field = statement.field(path);
  if (!field) return [noValue(direction)];
  const expression = field.list ? `list_${mode ?? (ascending ? 'min' : 'max')}(${field.sql})` : field.sql;
  return [{ expression, direction, decides: true }];
}

/** Of a field that no document has a value of. */
function noValue(direction: string): SqlSort {
  return { expression: 'NULL', direction, decides: false };
}
