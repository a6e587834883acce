import { exactInteger } from '../../../json/lossless-json.ts';
import type { AggregatedPath, CheckedFacet } from '../../port/datastore-adapter.ts';
import { givenValue } from '../../semantics/aggregated-field.ts';
import type { SqlValue } from '../columns/column-database.ts';
import { columnKindOf } from '../columns/column-tables.ts';
import type { QueryContext } from '../queries/query-context.ts';
import type { SqlField, Statement } from '../queries/sql-statement.ts';

type Missing = CheckedFacet['missing'];

export interface AggregatedField extends SqlField, AggregatedPath {}

/** Returns the field in a statement. A field without a value in any document takes part as NULL. */
export function aggregatedField(statement: Statement, field: AggregatedPath): AggregatedField {
  const column = statement.field(field.path);
  if (column) return { ...field, ...column };
  const kind = columnKindOf(field.searchKind) ?? 'string';
  return { ...field, kind, list: false, repeats: false, sql: `NULL::${statement.typeName(kind)}` };
}

/** Returns the expression of a value; a list gives a row for each. `missing` replaces an absent value. */
export function valueExpression(field: AggregatedField, missing: Missing, statement: Statement): string {
  let value = field.sql;
  if (missing !== undefined) {
    const given = statement.bind(givenValue(field, missing));
    value = field.list ? `coalesce(${value}, [${given}])` : `coalesce(${value}, ${given})`;
  }
  return field.list ? `unnest(${value})` : value;
}

/** Returns a statement for the values of the documents found, as rows `n`, `k`, `v`. */
export function foundValues(context: QueryContext, missing: Missing, field: AggregatedField, statement: Statement) {
  const value = valueExpression(field, missing, statement);
  return `SELECT n, k, ${value} AS v FROM ${statement.from(context.matching(statement))}`;
}

/** Converts a value of a column: numbers where they are exact, else bigint; booleans as 0 and 1. */
export function answeredValue(value: SqlValue): string | number | bigint {
  if (typeof value === 'bigint') return exactInteger(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : String(value);
}
