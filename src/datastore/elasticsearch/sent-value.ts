import { type AggregatedPath, givenValue } from '../aggregated-field.ts';
import { formatAddress } from '../query-language/ip-address.ts';

/** A value of the caller as the server reads it for a field. */
export function sentValue(field: AggregatedPath, value: string | number | boolean): unknown {
  const given = givenValue(field, value);
  return field.searchKind === 'ip' ? formatAddress(String(given)) : given;
}
