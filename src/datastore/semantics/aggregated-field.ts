import type { SearchKind } from '../../documents/schema/field-types.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { AggregatedPath } from '../port/datastore-adapter.ts';
import { parseDateMath } from '../query-language/date-parsing.ts';
import { formatAddress, parseAddress } from '../query-language/ip-address.ts';

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

/** Returns a given value in indexed form, whole numbers and dates as bigint; throws `invalid_value`. */
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
