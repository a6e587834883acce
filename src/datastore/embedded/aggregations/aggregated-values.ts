import { exactInteger } from '../../../json/lossless-json.ts';
import type { AggregatedPath } from '../../port/datastore-adapter.ts';
import type { SqlValue } from '../columns/column-database.ts';
import { columnKindOf } from '../columns/column-tables.ts';
import type { SqlField, Statement } from '../queries/sql-statement.ts';

/** A field that is counted, with what a statement needs of it. */
export interface AggregatedField extends SqlField, AggregatedPath {}

/** The field in a statement. A field without a value in any document takes part as NULL. */
export function aggregatedField(statement: Statement, field: AggregatedPath): AggregatedField {
  const column = statement.field(field.path);
  if (column) return { ...field, ...column };
  const kind = columnKindOf(field.searchKind) ?? 'string';
  return { ...field, kind, list: false, repeats: false, sql: `NULL::${statement.typeName(kind)}` };
}

/** A value of a column as answers hold it: numbers where they are exact, else bigint; booleans as 0 and 1. */
export function answeredValue(value: SqlValue): string | number | bigint {
  if (typeof value === 'bigint') return exactInteger(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : String(value);
}
