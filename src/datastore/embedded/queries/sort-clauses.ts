import type { CheckedSort } from '../../port/datastore-adapter.ts';
import type { Statement } from './sql-statement.ts';

export interface SqlSort {
  readonly expression: string;
  /** For example `ASC NULLS LAST`. */
  readonly direction: string;
  /** False: it is the same for every document. */
  readonly decides: boolean;
}

/** Returns the sort expressions in a statement, ending with the order of insertion. */
export function sortExpressions(statement: Statement, sort: readonly CheckedSort[]): readonly SqlSort[] {
  const sorts = sort.flatMap((clause) => sortExpression(statement, clause));
  return [...sorts, ...insertionOrder(statement, 'ASC')];
}

export function orderBy(sorts: readonly SqlSort[]): string {
  // SQL rejects an order by a constant, or takes it for the number of a column.
  const deciding = sorts.filter(({ decides }) => decides);
  return deciding.map(({ expression, direction }) => `${expression} ${direction}`).join(', ');
}

function insertionOrder(statement: Statement, direction: 'ASC' | 'DESC'): readonly SqlSort[] {
  return [
    { expression: statement.index, direction, decides: statement.tables.length > 1 },
    { expression: 'k', direction, decides: true },
  ];
}

function sortExpression(
  statement: Statement,
  { field: path, kind, order, missing, mode }: CheckedSort,
): readonly SqlSort[] {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  if (kind === 'insertion') return insertionOrder(statement, direction);
  const nulls = `${direction} NULLS ${missing === 'first' ? 'FIRST' : 'LAST'}`;
  const field = kind === 'absent' ? undefined : statement.field(path);
  // No document has a value of the field.
  if (!field) return [{ expression: 'NULL', direction: nulls, decides: false }];
  return [{ expression: field.list ? `list_${mode}(${field.sql})` : field.sql, direction: nulls, decides: true }];
}
