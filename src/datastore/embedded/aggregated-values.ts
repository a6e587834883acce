import type { FlatField, SearchKind } from '../../documents/field-types.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { parseDateMath } from '../query-language/date-parsing.ts';
import { formatAddress, parseAddress } from '../query-language/ip-address.ts';
import type { SqlValue } from './column-database.ts';
import { columnKindOf } from './column-types.ts';
import { mappingFieldAbove } from './mapping-columns.ts';
import type { SqlField, Statement } from './sql-statement.ts';

/** A field that is counted, with what a statement needs of it. */
export interface AggregatedField extends SqlField {
  readonly path: string;
  readonly searchKind: SearchKind;
}

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
  const field: FlatField | undefined =
    statement.definition.fieldByPath.get(path) ?? mappingFieldAbove(statement.definition, path);
  if (!field) return undefined;
  const kind = field.indexed ? columnKindOf(field.searchKind) : undefined;
  if (kind === undefined || kind === 'text' || (kinds && !kinds.has(field.searchKind))) {
    throw new InvalidInput('field_not_aggregatable', `The field ${path} cannot be used for this kind of counting.`, {
      at: path,
    });
  }
  const column = statement.field(path);
  if (column) return { path, searchKind: field.searchKind, ...column };
  return {
    path,
    searchKind: field.searchKind,
    kind,
    list: false,
    repeats: false,
    sql: `NULL::${statement.typeName(kind)}`,
  };
}

type ToColumn = (value: string | number | boolean) => SqlValue | undefined;

const whole: ToColumn = (value) => {
  const number = typeof value === 'string' ? (value.trim() === '' ? Number.NaN : Number(value)) : Number(value);
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
};
const text: ToColumn = (value) => String(value);

const TO_COLUMN: Record<SearchKind, ToColumn> = {
  keyword: text,
  lowercase_keyword: text,
  text: () => undefined,
  ssdeep: () => undefined,
  none: () => undefined,
  integer: whole,
  long: (value) => (typeof value === 'string' && /^[+-]?\d+$/.test(value) ? BigInt(value) : whole(value)),
  float: (value) => {
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    return Number.isFinite(number) ? Math.fround(number) : undefined;
  },
  boolean: (value) =>
    value === true || value === 'true' || value === 1
      ? true
      : value === false || value === 'false' || value === 0
        ? false
        : undefined,
  date: (value) => {
    const time = typeof value === 'string' ? parseDateMath(value, new Date()) : Number(value);
    return typeof time === 'number' && Number.isFinite(time) ? BigInt(Math.trunc(time)) : undefined;
  },
  ip: (value) => parseAddress(String(value)),
};

/**
 * A value given in a request (`missing`, `include` ...) as the column holds it.
 * @throws InvalidInput `invalid_value`, when the field cannot hold it
 */
export function givenValue(field: AggregatedField, value: string | number | boolean): SqlValue {
  const column = TO_COLUMN[field.searchKind](value);
  if (column !== undefined) return column;
  throw new InvalidInput('invalid_value', `The field ${field.path} cannot hold the value ${JSON.stringify(value)}.`, {
    at: field.path,
  });
}

/** A value of a column as answers hold it: numbers where they are exact, else bigint; booleans as 0 and 1. */
export function answeredValue(value: SqlValue): string | number | bigint {
  if (typeof value === 'bigint') return numberWhereExact(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : String(value);
}

export function numberWhereExact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Text of a value for people. */
export function labelOf(field: AggregatedField, key: string | number | bigint): string {
  switch (field.searchKind) {
    case 'date':
      return new Date(Number(key)).toISOString();
    case 'boolean':
      return key === 1 ? 'true' : 'false';
    case 'ip':
      return formatAddress(String(key));
    default:
      return String(key);
  }
}
