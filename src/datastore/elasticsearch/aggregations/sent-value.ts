import { formatAddress } from '../../query-language/ip-address.ts';
import { type AggregatedPath, givenValue } from '../../semantics/aggregated-field.ts';

/** A value of the caller as the server reads it for a field. */
export function sentValue(field: AggregatedPath, value: string | number | boolean): unknown {
  const given = givenValue(field, value);
  return field.searchKind === 'ip' ? formatAddress(String(given)) : given;
}
