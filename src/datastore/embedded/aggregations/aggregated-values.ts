import type { SearchKind } from '../../../documents/schema/field-types.ts';
import { exactInteger } from '../../../json/lossless-json.ts';
import { type AggregatedPath, aggregatedPath } from '../../semantics/aggregated-field.ts';
import type { SqlValue } from '../columns/column-database.ts';
import { columnKindOf } from '../columns/column-tables.ts';
import type { SqlField, Statement } from '../queries/sql-statement.ts';

/** A field that is counted, with what a statement needs of it. */
export interface AggregatedField extends SqlField, AggregatedPath {}

/**
 * The field in a statement. Undefined: the collection does not have it, so nothing is found. A field without a value in any
 * document takes part as NULL.
 * @throws InvalidInput `field_not_aggregatable`, for text and for fields that are not searchable
 */
export function aggregatedField(
  statement: Statement,
  path: string,
  kinds?: ReadonlySet<SearchKind>,
): AggregatedField | undefined {
  const field = aggregatedPath(statement.definition, path, kinds);
  const kind = field && columnKindOf(field.searchKind);
  if (!field || kind === undefined) return undefined;
  const column = statement.field(path);
  if (column) return { ...field, ...column };
  return { ...field, kind, list: false, repeats: false, sql: `NULL::${statement.typeName(kind)}` };
}

/** A value of a column as answers hold it: numbers where they are exact, else bigint; booleans as 0 and 1. */
export function answeredValue(value: SqlValue): string | number | bigint {
  if (typeof value === 'bigint') return exactInteger(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : String(value);
}
