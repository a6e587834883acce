import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { FlatField, SearchKind } from '../../documents/schema/field-types.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { parseDateMath } from '../query-language/date-parsing.ts';
import { formatAddress, parseAddress } from '../query-language/ip-address.ts';
import { mappingFieldAbove } from './mapping-field.ts';

/** A field whose values are counted. `path` may lie below a `mapping` field. */
export interface AggregatedPath {
  readonly path: string;
  readonly searchKind: SearchKind;
}

const UNORDERED: ReadonlySet<SearchKind> = new Set(['text', 'ssdeep', 'none']);

/** Returns whether documents can be sorted and aggregated by a field. */
export function hasOrder(field: FlatField | undefined): field is FlatField {
  return field?.indexed === true && !UNORDERED.has(field.searchKind);
}

/** The field of a definition, the `mapping` field for one of its keys. */
export function definedField(definition: CollectionDefinition<unknown>, path: string): FlatField | undefined {
  return definition.fieldByPath.get(path) ?? mappingFieldAbove(definition, path);
}

/**
 * The field to count by. Undefined: the collection does not have it, so nothing is found.
 * @throws InvalidInput `field_not_aggregatable`, for text, for fields that are not searchable and for kinds that are not wanted
 */
export function aggregatedPath(
  definition: CollectionDefinition<unknown>,
  path: string,
  kinds?: ReadonlySet<SearchKind>,
): AggregatedPath | undefined {
  const field = definedField(definition, path);
  if (!field) return undefined;
  if (hasOrder(field) && (kinds === undefined || kinds.has(field.searchKind)))
    return { path, searchKind: field.searchKind };
  throw new InvalidInput('field_not_aggregatable', `The field ${path} cannot be used for this kind of counting.`, {
    at: path,
  });
}

type ToIndexed = (value: string | number | boolean) => string | number | bigint | boolean | undefined;

const whole: ToIndexed = (value) => {
  const number = typeof value === 'string' ? (value.trim() === '' ? Number.NaN : Number(value)) : Number(value);
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
};
const text: ToIndexed = (value) => String(value);

const TO_INDEXED: Record<SearchKind, ToIndexed> = {
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
 * A value given in a request (`missing`, `include` ...) as the index holds it: whole numbers and dates
 * as bigint.
 * @throws InvalidInput `invalid_value`, when the field cannot hold it
 */
export function givenValue(
  field: AggregatedPath,
  value: string | number | boolean,
): string | number | bigint | boolean {
  const indexed = TO_INDEXED[field.searchKind](value);
  if (indexed !== undefined) return indexed;
  throw new InvalidInput('invalid_value', `The field ${field.path} cannot hold the value ${JSON.stringify(value)}.`, {
    at: field.path,
  });
}

/** Text of a value for people. */
export function labelOf(field: AggregatedPath, key: string | number | bigint): string {
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
